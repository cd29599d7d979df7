import type { VmSettings } from "#libs/campaign";
import {
  allHeardMs,
  annotationKeys,
  countVms,
  findUsualRevision,
  freshMs,
  istioKeys,
  type JudgedVm,
  judgeVms,
  type NamespaceInventory,
  type Vm,
  type VmFigures,
  type VmSeen,
  type Workload,
} from "#libs/fleet";
import { resolveTarget } from "#libs/injection";
import type { Cluster } from "#libs/kube";
import type { Clock } from "#libs/runtime";
import type { VmFleet, VmList } from "#libs/vms";

import { mapNamespaces } from "./map-namespaces.ts";

/** One WorkloadGroup with its VMs. */
export interface VmGroup {
  /** Its workload, with what its VMs say. */
  readonly workload: Workload;
  /** Whether its object names a revision: without one no tag is written. */
  readonly isWritten: boolean;
  readonly vms: readonly JudgedVm[];
}

/** The VM groups of one cluster. */
export interface VmGroups {
  /** The cluster, whose WorkloadGroups have the figures of their VMs. */
  readonly cluster: Cluster;
  /** In the order of their namespaces and names. */
  list(): readonly VmGroup[];
  /** The list of VMs was fresh at the last refresh. */
  isFresh(): boolean;
  /** Judges all VMs by now, and returns the namespaces in which a figure is another one. */
  refresh(): readonly string[];
  /** Of the list of VMs, and VMs that belong to no group, for people. */
  problems(): readonly string[];
}

interface Parts {
  readonly cluster: Cluster;
  readonly fleet: VmFleet;
  /** By main's newest files. */
  readonly settings: () => VmSettings;
  readonly clock: Pick<Clock, "now" | "elapsed">;
}

function nameGroup({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** So many VMs more that nothing is known of. */
function addUnknown(figures: VmFigures, more: number): VmFigures {
  if (more === 0) return figures;
  const { replicas, vms } = figures;
  return {
    ...figures,
    replicas: replicas + more,
    total: replicas + more,
    vms: { ...vms, unknown: vms.unknown + more },
  };
}

/** When a tag was written last: what an executor that was started later measures progress by. */
function findTagged(vms: readonly Vm[]): { readonly status?: number } {
  const times = vms.flatMap(({ taggedAt }) => taggedAt ?? []);
  return times.length === 0 ? {} : { status: Math.max(...times) };
}

/** The label of the group, or what its VMs run where nothing was written on it. */
function addLabel({ template }: Workload, vms: readonly Vm[]): Workload["template"] {
  const usual = template.labels[istioKeys.revision] ?? findUsualRevision(vms);
  return usual === undefined ? template : { ...template, labels: { ...template.labels, [istioKeys.revision]: usual } };
}

/** VMs that keep a move from being complete, those that gave up first. */
function listUnfinished(vms: readonly JudgedVm[]): readonly VmSeen[] {
  return (["failed", "upgrading", "unhealthy"] as const).flatMap((state) =>
    vms.flatMap(({ vm: { name, report }, state: own }) =>
      own === state && report !== undefined ? [{ name, code: report.code, message: report.message }] : [],
    ),
  );
}

/** VMs whose list is not fresh: what was known of them says nothing now. */
function forget(vms: readonly Vm[]): readonly Vm[] {
  return vms.map((vm) => {
    const { reportAgeMs: _, ...rest } = vm;
    return rest;
  });
}

interface Heard {
  readonly isFresh: boolean;
  /** As of `VmQuestion`. */
  readonly heardForMs: number;
  readonly entries: ReadonlyMap<string, boolean>;
  /** Addresses in its namespace that VMs reported. */
  readonly heard: ReadonlySet<string>;
}

const noAddresses: ReadonlySet<string> = new Set();

/** By namespace. */
function listAddresses(vms: readonly Vm[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byNamespace = Map.groupBy(vms, ({ group }) => group.namespace);
  return new Map(
    [...byNamespace].map(([namespace, own]) => [
      namespace,
      new Set(own.flatMap(({ report }) => report?.address ?? [])),
    ]),
  );
}

export function createVmGroups({ cluster, fleet, settings, clock }: Parts): VmGroups {
  /** Since when reports come without a break (`elapsed`); undefined while none comes. */
  let heardSince: number | undefined;
  /** Namespaces in which figures changed at a refresh that a reader caused: the next `refresh` returns them. */
  let unreported: readonly string[] = [];
  /** By namespace and name, as of the last refresh. */
  let groups = new Map<string, VmGroup>();
  let raw = new Map<string, Workload>();
  let figures = new Map<string, string>();
  /** Groups that VMs report as theirs, and that the cluster does not have. */
  let missingGroups: readonly string[] = [];
  let last: VmList = { fresh: false, problems: [], vms: [] };

  /**
   * VMs more that must be there, though no agent reported for them: while reports have not come for long enough, the bus may have
   * been wiped, or the api away. Registered addresses, or at least one where we moved the group.
   */
  function countMissing(workload: Workload, own: readonly Vm[], { heardForMs, heard, entries }: Heard): number {
    if (heardForMs >= allHeardMs) return 0;
    const silent = [...entries.keys()].filter((address) => !heard.has(address)).length;
    const isMoved = annotationKeys.run in workload.annotations;
    return Math.max(silent, own.length === 0 && isMoved ? 1 : 0);
  }

  function build(workload: Workload, own: readonly Vm[], about: Heard): VmGroup {
    const facts = cluster.view.facts();
    const vms = about.isFresh ? own : forget(own);
    const template = addLabel(workload, vms);
    const label = template.labels[istioKeys.revision];
    const revision = label === undefined ? undefined : resolveTarget(facts, label);
    const { entries, heardForMs } = about;
    const judged = judgeVms(vms, { revision, entries, now: clock.now(), heardForMs });
    const counted = countVms(judged, revision, settings().maxUnavailable);
    const missing = countMissing(workload, own, about);
    const least = !about.isFresh && counted.replicas === 0 ? 1 : 0;
    const times = { ...workload.times, ...findTagged(vms) };
    return {
      workload: { ...workload, ...addUnknown(counted, Math.max(missing, least)), template, times },
      isWritten: workload.template.labels[istioKeys.revision] !== undefined,
      vms: judged,
    };
  }

  function listRaw(): readonly Workload[] {
    return [...cluster.view.namespaces.values()].flatMap(({ workloads }) =>
      workloads.at(-1)?.kind === "WorkloadGroup" ? workloads.filter(({ kind }) => kind === "WorkloadGroup") : [],
    );
  }

  /** For how long reports of any VM have come. */
  function listen(vms: readonly Vm[]): number {
    const isHeard = vms.some(({ reportAgeMs }) => reportAgeMs !== undefined && reportAgeMs <= freshMs);
    heardSince = isHeard ? (heardSince ?? clock.elapsed()) : undefined;
    return heardSince === undefined ? 0 : clock.elapsed() - heardSince;
  }

  function refresh(): readonly string[] {
    const list = fleet.list();
    const { vms, fresh } = list;
    const byGroup = Map.groupBy(vms, ({ group }) => nameGroup(group));
    last = list;
    const heardForMs = listen(vms);
    const addresses = listAddresses(vms);
    const all = listRaw();
    const nextFigures = new Map<string, string>();
    const next = new Map<string, VmGroup>();
    for (const workload of all) {
      const key = nameGroup(workload);
      const heard = addresses.get(workload.namespace) ?? noAddresses;
      const entries = cluster.view.entriesOf(workload.namespace);
      const built = build(workload, byGroup.get(key) ?? [], { isFresh: fresh, heardForMs, heard, entries });
      const text = JSON.stringify(built.workload);
      const before = groups.get(key);
      // The same object while nothing changed: judgements are cached by it.
      next.set(
        key,
        figures.get(key) === text && before !== undefined ? { ...built, workload: before.workload } : built,
      );
      nextFigures.set(key, text);
    }
    const changed = [...new Set([...figures.keys(), ...nextFigures.keys()])].filter(
      (key) => figures.get(key) !== nextFigures.get(key),
    );
    missingGroups = [...byGroup.keys()].filter((key) => !next.has(key));
    raw = new Map(all.map((workload) => [nameGroup(workload), workload]));
    [groups, figures] = [next, nextFigures];
    return [...new Set(changed.map((key) => key.slice(0, key.indexOf("/"))))];
  }

  /** The object may have changed since the last refresh: then its figures are those of its VMs now. */
  function overlay(workload: Workload): Workload {
    if (workload.kind !== "WorkloadGroup") return workload;
    const key = nameGroup(workload);
    if (raw.get(key) !== workload) unreported = [...unreported, ...refresh()];
    return groups.get(key)?.workload ?? workload;
  }

  const overlayNamespace = (inventory: NamespaceInventory): NamespaceInventory => {
    if (inventory.workloads.at(-1)?.kind !== "WorkloadGroup") return inventory;
    return { ...inventory, workloads: inventory.workloads.map(overlay) };
  };
  /** What a group's VMs say is known without asking anything. */
  const readRollout: Cluster["readRollout"] = async (ref) => {
    const group = groups.get(nameGroup(ref));
    if (ref.kind !== "WorkloadGroup" || group === undefined) return cluster.readRollout(ref);
    return { kind: "read", rollout: { pods: [], vms: listUnfinished(group.vms) } };
  };
  return {
    cluster: { ...mapNamespaces(cluster, overlayNamespace), readRollout },
    list: () => [...groups.values()],
    isFresh: () => last.fresh,
    refresh: () => {
      const changed = new Set([...unreported, ...refresh()]);
      unreported = [];
      return [...changed];
    },
    problems: () => {
      const { problems } = last;
      if (missingGroups.length === 0) return problems;
      const [first = ""] = missingGroups;
      const more = missingGroups.length === 1 ? "" : `, and ${missingGroups.length - 1} more`;
      return [...problems, `VMs report as members of ${first}${more}: this cluster has no such WorkloadGroup`];
    },
  };
}
