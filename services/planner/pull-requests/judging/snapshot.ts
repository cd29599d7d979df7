import type { Campaign, Exclusion } from "#libs/campaign";
import type { NamespaceInventory } from "#libs/fleet";
import { type ClusterSnapshot, NamespaceTree, type Spec, type Snapshot } from "#libs/plan";
import { compileNamePattern, compileRollouts } from "#libs/rollouts";

type PlainExclusion = Omit<Exclusion, "matches">;
type PlainCampaign = Omit<Campaign, "exclude" | "ignoreBudgets"> & {
  readonly exclude: readonly PlainExclusion[];
  readonly ignoreBudgets?: readonly PlainExclusion[];
};

/** A spec without its compiled patterns, which cannot be sent and are compiled again. */
type PlainSpec = Omit<Spec, "campaigns" | "resolver"> & { readonly campaigns: readonly PlainCampaign[] };

interface ClusterUpdate {
  readonly cluster: Omit<ClusterSnapshot, "namespaces">;
  readonly changed: readonly (readonly [string, NamespaceInventory])[];
  readonly gone: readonly string[];
}

/** What changed since the last snapshot that was sent; plain values, so that it can be sent. */
export interface SnapshotUpdate {
  readonly rest: Omit<Snapshot, "specs" | "clusters" | "ledger">;
  /** Absent = unchanged. */
  readonly ledger?: { readonly state: Snapshot["ledger"] };
  readonly specs: readonly { readonly commit: string; readonly spec?: PlainSpec }[];
  readonly clusters: readonly ClusterUpdate[];
}

function strip({ pattern, reason, until, place }: Exclusion): PlainExclusion {
  return { pattern, reason, ...(until === undefined ? {} : { until }), ...(place === undefined ? {} : { place }) };
}

function stripSpec(spec: Spec): PlainSpec {
  const { campaigns, resolver: _, ...rest } = spec;
  const plain = [...campaigns.values()].map(({ exclude, ignoreBudgets, ...campaign }) => ({
    ...campaign,
    exclude: exclude.map(strip),
    ...(ignoreBudgets === undefined ? {} : { ignoreBudgets: ignoreBudgets.map(strip) }),
  }));
  return { ...rest, campaigns: plain };
}

function listChanges(now: ReadonlyMap<string, NamespaceInventory>, sent: Map<string, NamespaceInventory>) {
  const changed: (readonly [string, NamespaceInventory])[] = [];
  for (const [name, inventory] of now) {
    if (sent.get(name) === inventory) continue;
    sent.set(name, inventory);
    changed.push([name, inventory]);
  }
  const gone = sent.size === now.size ? [] : [...sent.keys()].filter((name) => !now.has(name));
  for (const name of gone) sent.delete(name);
  return { changed, gone };
}

/** Makes an update of each snapshot: a fleet of megabytes is sent once, not for each question. */
export function createSnapshotWriter(): (snapshot: Snapshot) => SnapshotUpdate {
  let ledger: Snapshot["ledger"];
  let specs: Snapshot["specs"] = new Map();
  const clusters = new Map<string, Map<string, NamespaceInventory>>();

  function updateCluster({ namespaces, ...cluster }: ClusterSnapshot): ClusterUpdate {
    const sent = clusters.get(cluster.name) ?? new Map<string, NamespaceInventory>();
    clusters.set(cluster.name, sent);
    return { cluster, ...listChanges(namespaces, sent) };
  }

  return (snapshot) => {
    const { specs: now, clusters: fleet, ledger: state, main, ...others } = snapshot;
    const update: SnapshotUpdate = {
      // Not needed for judging, and they contain compiled files, which cannot be sent.
      rest: { ...others, main: { ...main, points: [] } },
      ...(state === ledger ? {} : { ledger: { state } }),
      specs: [...now].map(([commit, spec]) =>
        specs.get(commit) === spec ? { commit } : { commit, spec: stripSpec(spec) },
      ),
      clusters: [...fleet.values()].map(updateCluster),
    };
    for (const name of clusters.keys()) if (!fleet.has(name)) clusters.delete(name);
    [ledger, specs] = [state, now];
    return update;
  };
}

function restoreExclusion(exclusion: PlainExclusion): Exclusion {
  const compiled = compileNamePattern(exclusion.pattern);
  if (!compiled.ok) throw new Error(`bug: ${exclusion.pattern} was a pattern when it was sent`);
  return { ...exclusion, matches: compiled.matches };
}

function restoreCampaign({ exclude, ignoreBudgets, ...plain }: PlainCampaign): Campaign {
  return {
    ...plain,
    exclude: exclude.map(restoreExclusion),
    ...(ignoreBudgets === undefined ? {} : { ignoreBudgets: ignoreBudgets.map(restoreExclusion) }),
  };
}

function restoreSpec({ campaigns, ...plain }: PlainSpec): Spec {
  const resolver = compileRollouts(plain.rollouts, plain.settings.seed);
  return { ...plain, resolver, campaigns: new Map(campaigns.map((each) => [each.name, restoreCampaign(each)])) };
}

/** Builds snapshots from updates. What did not change is the same object as before, so what is cached by object stays valid. */
export function createSnapshotReader(): (update: SnapshotUpdate) => Snapshot {
  let ledger: Snapshot["ledger"];
  let specs: ReadonlyMap<string, Spec> = new Map();
  const trees = new Map<string, NamespaceTree>();

  function updateTree({ cluster, changed, gone }: ClusterUpdate): NamespaceTree {
    let tree = trees.get(cluster.name) ?? NamespaceTree.empty;
    for (const [name, inventory] of changed) tree = tree.with(name, inventory);
    for (const name of gone) tree = tree.without(name);
    trees.set(cluster.name, tree);
    return tree;
  }

  function find({ commit, spec }: SnapshotUpdate["specs"][number]): Spec {
    const known = spec === undefined ? specs.get(commit) : restoreSpec(spec);
    if (known === undefined) throw new Error(`bug: the files of ${commit} were never sent`);
    return known;
  }

  return (update) => {
    if (update.ledger !== undefined) ledger = update.ledger.state;
    specs = new Map(update.specs.map((each) => [each.commit, find(each)]));
    const clusters = update.clusters.map((each): [string, ClusterSnapshot] => {
      return [each.cluster.name, { ...each.cluster, namespaces: updateTree(each) }];
    });
    const named = new Map(clusters);
    for (const name of trees.keys()) if (!named.has(name)) trees.delete(name);
    return { ...update.rest, specs, ledger, clusters: named };
  };
}
