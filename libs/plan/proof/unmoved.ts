import type { ClusterIndex } from "../cluster-index.ts";
import { parseTime } from "../iso-time.ts";
import { findLeftOut } from "../judge-campaign.ts";
import type { Survey } from "../judge-fleet.ts";
import type { LedgerState, RunRecord } from "../ledger-state.ts";
import type { WorkloadStanding } from "../standing.ts";
import { nameInFleet } from "../workload-key.ts";
import type { ClusterWorld, Spec, World } from "../world.ts";

/** What the objects say of those that a run asked for. */
export interface Reached {
  readonly there: number;
  /** By `cluster:namespace/Kind/name`: they run another revision, nothing on them says why, and no open run asks for them. */
  readonly unmoved: readonly string[];
}

/** What runs are compared with. */
export interface Basis {
  readonly world: World;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly survey: Survey;
}

/** What one run is compared in. */
interface Comparison {
  readonly run: RunRecord;
  readonly head: Spec;
  /** The files of the run's commit. */
  readonly after: Spec;
  /** True for a namespace whose answer the run changed, and no later one. */
  readonly isAsked: (namespace: string) => boolean;
}

/** Main's own answers: undefined where the files of the run are not at hand. */
function compareRun(world: World, { runs }: LedgerState, head: Spec, run: RunRecord): Comparison | undefined {
  const after = world.specs.get(run.commit);
  if (after === undefined || !world.specs.has(run.before)) return undefined;
  const since = Object.values(runs).filter(({ order, state }) => order >= run.order && state !== "gone");
  const pairs = since
    .toSorted((a, b) => b.order - a.order)
    .flatMap(({ id, before, commit }) => {
      const [old, now] = [world.specs.get(before)?.resolver, world.specs.get(commit)?.resolver];
      return old === undefined || now === undefined ? [] : [{ id, old, now }];
    });
  const isAsked = (name: string): boolean =>
    pairs.find(({ old, now }) => old.resolve(name).revision !== now.resolve(name).revision)?.id === run.id;
  return { run, head, after, isAsked };
}

/** Main excludes it, or did when the run began; or it runs what the campaign does not replace. */
function isLeftOut({ run, head, after }: Comparison, each: WorkloadStanding, cluster: ClusterWorld): boolean {
  const { inventory, workload, desired } = each;
  const began = parseTime(run.startedAt);
  return [head, after].some(
    (spec) =>
      findLeftOut({ cluster, head: spec, now: began, inventory, workload, owned: { desired, run } }) !== undefined,
  );
}

function compareCluster(comparison: Comparison, index: ClusterIndex, cluster: ClusterWorld): Reached {
  let there = 0;
  const unmoved: string[] = [];
  for (const name of index.tree.keys()) {
    if (!comparison.isAsked(name)) continue;
    for (const each of index.judge(name)) {
      if (each.standing.kind === "there") there += 1;
      if (each.standing.kind !== "due" || each.run !== undefined || isLeftOut(comparison, each, cluster)) continue;
      unmoved.push(nameInFleet(cluster.name, each.key));
    }
  }
  return { there, unmoved };
}

interface Known {
  readonly root: unknown;
  readonly runs: LedgerState["runs"];
  readonly reached: Reached;
}

const known = new WeakMap<object, Map<string, Known>>();

/** What did not change since it was asked last is not compared again. */
function recallCluster(
  { runs }: LedgerState,
  comparison: Comparison,
  index: ClusterIndex,
  cluster: ClusterWorld,
): Reached {
  const byRun = known.get(index.basis) ?? new Map<string, Known>();
  known.set(index.basis, byRun);
  const { id } = comparison.run;
  const before = byRun.get(id);
  if (before !== undefined && before.root === index.tree.root && before.runs === runs) return before.reached;
  const reached = compareCluster(comparison, index, cluster);
  byRun.set(id, { root: index.tree.root, runs, reached });
  return reached;
}

/**
 * Compares a run that the ledger calls over with the objects: whom main asked to move by it, and who does not run that. The ledger's
 * own list of who was given up counts for nothing here: what gave a workload up stands on the object, or in main's files. A cluster
 * that `isLate` is not compared.
 */
export function findReached(
  { world, ledger, head, survey }: Basis,
  run: RunRecord,
  isLate: (cluster: ClusterWorld) => boolean,
): Reached {
  const comparison = compareRun(world, ledger, head, run);
  if (comparison === undefined) return { there: 0, unmoved: [] };
  const aside = [...head.settings.asideClusters, ...comparison.after.settings.asideClusters];
  const parts = [...survey.judged].flatMap(([name, index]) => {
    const cluster = world.clusters.get(name);
    const isLeftOut = cluster === undefined || aside.includes(name) || isLate(cluster);
    return isLeftOut ? [] : [recallCluster(ledger, comparison, index, cluster)];
  });
  return {
    there: parts.reduce((sum, { there }) => sum + there, 0),
    unmoved: parts.flatMap(({ unmoved }) => unmoved),
  };
}
