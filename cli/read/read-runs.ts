import type { Bus } from "#libs/bus";
import {
  type FailureCause,
  nameForeignManager,
  type NamespaceInventory,
  readMarks,
  readRunning,
  type VmCounts,
} from "#libs/fleet";
import {
  judgeOverwritten,
  listRevisionUsers,
  type Overwritten,
  resolveTarget,
  type UsedCluster,
} from "#libs/injection";

import { type FleetOptions, readFleet } from "./fleet-source.ts";
import { refuseOtherVersion } from "../options/refuse-other-version.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findBus, withBus } from "./with-bus.ts";

/** One workload of a namespace, or another owner of injected pods, and what its pods run. */
export interface RunsNow {
  readonly cluster: string;
  /** `Kind/name`. */
  readonly workload: string;
  /** It is of a kind that is not moved, or gone: only its pods are known. */
  readonly isOther?: true;
  readonly pods: number;
  /** Revision -> pods; "none" = without a sidecar. */
  readonly revisions: Readonly<Record<string, number>>;
  /** Of a group of VMs, whose VMs are counted as its pods. */
  readonly vms?: VmCounts;
  /** Its move failed, and the failure annotation is still there. */
  readonly failed?: FailedMove;
  /** Another manager changed what meshroll wrote on it, or on its namespace. */
  readonly overwritten?: Overwritten;
}

/** By the failure annotation of a workload or of its namespace. */
export interface FailedMove {
  /** The revision that it did not reach. */
  readonly revision: string;
  /** `ReadinessTimeout`, … */
  readonly reason: string;
  /** ISO. */
  readonly at: string;
  /** The run that moved it, and the number of tries; absent where that annotation is damaged. */
  readonly run?: { readonly id: string; readonly attempt: number };
  /** The namespace failed as a whole. */
  readonly isNamespace: boolean;
  /** It was not undone, because nothing served the earlier revision. */
  readonly notPutBack?: { readonly code: string; readonly revision: string };
  /** What its pods said when it failed. */
  readonly cause?: FailureCause;
  /** The API server's message, where it refused. */
  readonly why?: string;
}

function readFailed(object: Parameters<typeof readMarks>[0], isNamespace: boolean): FailedMove | undefined {
  const marks = readMarks(object);
  if (marks.kind !== "read" || marks.failed === undefined) return undefined;
  const { run } = marks;
  return { ...marks.failed, ...(run === undefined ? {} : { run: { id: run.run, attempt: run.attempt } }), isNamespace };
}

/** What would give new pods to a revision. */
export interface Ask {
  readonly what: string;
  /** The revision or tag in its label. */
  readonly name: string;
  /** The revision that it means. */
  readonly revision: string;
  /** The field manager that wrote the label, where that is not meshroll. */
  readonly by?: string;
}

/** The namespace in one cluster. */
export interface NamespaceNow {
  readonly cluster: string;
  /** What would give a revision to new pods, by the name in labels: the namespace's labels, templates. */
  readonly asks: readonly Ask[];
  /** Injected pods that have ended. */
  readonly completed: number;
  readonly failed: number;
}

/** What runs, and the seen clusters with the namespace. */
export interface RunsSeen {
  readonly workloads: readonly RunsNow[];
  readonly namespaces: readonly NamespaceNow[];
}

/** The same, or why it is unknown; absent = not requested. */
export type RunsAnswer = RunsSeen | { readonly unknown: string };

/** Of one cluster. */
interface SeenNamespace {
  readonly workloads: readonly RunsNow[];
  readonly namespace: NamespaceNow;
}

function countPods(workload: NamespaceInventory["workloads"][number]): Readonly<Record<string, number>> {
  const running = readRunning(workload);
  const pods = workload.pods.reduce((sum, { count }) => sum + Math.max(0, count), 0);
  switch (running.kind) {
    case "all":
      return { [running.revision]: pods };
    case "mixed":
      return { ...running.revisions, ...(running.bare === 0 ? {} : { none: running.bare }) };
    case "none":
      return { none: pods };
    case "empty":
      return {};
  }
}

function describeOthers(cluster: string, others: NamespaceInventory["others"] = []): readonly RunsNow[] {
  return others
    .filter(({ live }) => live > 0)
    .map(({ kind, name = "…", revision, live }) => {
      return { cluster, workload: `${kind}/${name}`, isOther: true, pods: live, revisions: { [revision]: live } };
    });
}

/** By the field manager of each label, without our own. */
function listWriters({ namespace, workloads }: NamespaceInventory): ReadonlyMap<string, string> {
  const objects = [
    [`Namespace/${namespace.name}`, namespace.revisionManager] as const,
    ...workloads.map((each) => [`${each.namespace}/${each.kind}/${each.name}`, each.revisionManager] as const),
  ];
  return new Map(
    objects.flatMap(([what, manager]) => {
      const name = nameForeignManager(manager);
      return name === undefined ? [] : [[what, name] as const];
    }),
  );
}

/** Names as written, and the revisions that they mean by the cluster's tags. */
function describeNamespace(cluster: string, inventory: NamespaceInventory, facts: Facts): NamespaceNow {
  const { namespace, others = [] } = inventory;
  const bare = { revisions: [], tags: {} };
  const users = listRevisionUsers({ facts: bare, namespaces: new Map([[namespace.name, inventory]]) });
  const writers = listWriters(inventory);
  const asks = [...users].flatMap(([name, each]) =>
    each.asks.map(({ what }) => {
      const by = writers.get(what);
      return { what, name, revision: resolveTarget(facts, name), ...(by === undefined ? {} : { by }) };
    }),
  );
  const count = (part: "completed" | "failed") => others.reduce((sum, each) => sum + each[part], 0);
  return { cluster, asks, completed: count("completed"), failed: count("failed") };
}

/** The cluster's revisions and tags; none where they are not known. */
type Facts = UsedCluster["facts"];
const noFacts: Facts = { revisions: [], tags: {} };

function describe(cluster: string, inventory: NamespaceInventory, facts: Facts = noFacts): SeenNamespace {
  const { namespace, workloads, others } = inventory;
  const ofAll = readFailed(namespace, true);
  const allOverwritten = judgeOverwritten(namespace);
  const ours = workloads.map((workload): RunsNow => {
    const revisions = countPods(workload);
    const pods = Object.values(revisions).reduce((sum, count) => sum + count, 0);
    const failed = readFailed(workload, false) ?? ofAll;
    const name = `${workload.kind}/${workload.name}`;
    const overwritten = judgeOverwritten(workload) ?? allOverwritten;
    return {
      cluster,
      workload: name,
      pods,
      revisions,
      ...(workload.vms === undefined ? {} : { vms: workload.vms }),
      ...(failed === undefined ? {} : { failed }),
      ...(overwritten === undefined ? {} : { overwritten }),
    };
  });
  return {
    workloads: [...ours, ...describeOthers(cluster, others)],
    namespace: describeNamespace(cluster, inventory, facts),
  };
}

/** Only this namespace's keys: a large fleet's whole inventory takes seconds. */
async function readBus(bus: Bus, namespace: string): Promise<readonly SeenNamespace[]> {
  const { findOtherVersion, readInventoryKey, readNamespaceInventory } = await import("#libs/events");
  const { readAllClusters } = await import("./bus/read-clusters.ts");
  const { facts } = await readAllClusters(bus);
  const found = new Map<string, SeenNamespace>();
  let other: Refusal | undefined;
  const stop = new AbortController();
  const watcher = {
    onEntry: ({ key, value }: { readonly key: string; readonly value?: string }) => {
      const cluster = readInventoryKey(key)?.cluster;
      const inventory = value === undefined ? undefined : readNamespaceInventory(namespace, value);
      const why = value === undefined ? undefined : findOtherVersion(value);
      if (why !== undefined) other = refuseOtherVersion(`${key} of the inventory`, why);
      if (cluster !== undefined && inventory !== undefined)
        found.set(cluster, describe(cluster, inventory, facts.get(cluster)));
    },
    onReady: () => undefined,
    onReset: () => found.clear(),
  };
  try {
    await bus.bucket("inventory").watch(`*.${namespace}`, watcher, stop.signal);
  } finally {
    stop.abort();
  }
  if (other !== undefined) throw other;
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, seen]) => seen);
}

async function readFromClusters(
  namespace: string,
  options: FleetOptions,
  terminal: Terminal,
): Promise<readonly SeenNamespace[]> {
  const clusters = await readFleet(options, terminal);
  return [...clusters].flatMap(([name, { namespaces, facts }]) => {
    const inventory = namespaces.get(namespace);
    return inventory === undefined ? [] : [describe(name, inventory, facts)];
  });
}

/** What a namespace's pods run now; undefined when no fleet is named. */
export async function readRuns(
  namespace: string,
  options: FleetOptions,
  terminal: Terminal,
): Promise<RunsAnswer | undefined> {
  const place = findBus(options, terminal);
  if (options.kubeconfig === undefined && place === undefined) return undefined;
  try {
    const seen =
      options.kubeconfig === undefined && place !== undefined
        ? await withBus(place, async (bus) => readBus(bus, namespace))
        : await readFromClusters(namespace, options, terminal);
    return { workloads: seen.flatMap((each) => each.workloads), namespaces: seen.map((each) => each.namespace) };
  } catch (error) {
    if (error instanceof Refusal) return { unknown: error.message };
    throw error;
  }
}
