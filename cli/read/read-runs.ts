import type { Bus } from "#libs/bus";
import { type NamespaceInventory, readMarks, readRunning } from "#libs/fleet";

import { type FleetOptions, readFleet } from "./fleet-source.ts";
import { refuseOtherVersion } from "../options/refuse-other-version.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findBus, withBus } from "./with-bus.ts";

/** One workload of a namespace and what its pods run now. */
export interface RunsNow {
  readonly cluster: string;
  /** `Kind/name`. */
  readonly workload: string;
  readonly pods: number;
  /** Revision -> pods; "none" = without a sidecar. */
  readonly revisions: Readonly<Record<string, number>>;
  /** Its move failed, and the failure annotation is there still. */
  readonly failed?: FailedMove;
}

/** As the failure annotation of a workload, or of its namespace, has it. */
export interface FailedMove {
  /** The one that it did not reach. */
  readonly revision: string;
  /** `ReadinessTimeout`, … */
  readonly reason: string;
  /** ISO. */
  readonly at: string;
  /** Which run moved it, and how many tries there were; absent where a person broke that annotation. */
  readonly run?: { readonly id: string; readonly attempt: number };
  /** The namespace failed as one. */
  readonly isNamespace: boolean;
  /** It stays as it is, for nothing served the revision of before. */
  readonly notPutBack?: { readonly code: string; readonly revision: string };
  /** Its API server's words, where it refused. */
  readonly why?: string;
}

function readFailed(object: Parameters<typeof readMarks>[0], isNamespace: boolean): FailedMove | undefined {
  const marks = readMarks(object);
  if (marks.kind !== "read" || marks.failed === undefined) return undefined;
  const { run } = marks;
  return { ...marks.failed, ...(run === undefined ? {} : { run: { id: run.run, attempt: run.attempt } }), isNamespace };
}

/** What runs, or why it is unknown; absent = not requested. */
export type RunsAnswer = { readonly workloads: readonly RunsNow[] } | { readonly unknown: string };

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

function describe(cluster: string, { namespace, workloads }: NamespaceInventory): readonly RunsNow[] {
  const ofAll = readFailed(namespace, true);
  return workloads.map((workload) => {
    const revisions = countPods(workload);
    const pods = Object.values(revisions).reduce((sum, count) => sum + count, 0);
    const failed = readFailed(workload, false) ?? ofAll;
    const name = `${workload.kind}/${workload.name}`;
    return { cluster, workload: name, pods, revisions, ...(failed === undefined ? {} : { failed }) };
  });
}

/** One namespace's keys alone: the whole inventory of a large fleet takes seconds. */
async function readBus(bus: Bus, namespace: string): Promise<readonly RunsNow[]> {
  const { findOtherVersion, readInventoryKey, readNamespaceInventory } = await import("#libs/events");
  const found = new Map<string, readonly RunsNow[]>();
  let other: Refusal | undefined;
  const stop = new AbortController();
  const watcher = {
    onEntry: ({ key, value }: { readonly key: string; readonly value?: string }) => {
      const cluster = readInventoryKey(key)?.cluster;
      const inventory = value === undefined ? undefined : readNamespaceInventory(namespace, value);
      const why = value === undefined ? undefined : findOtherVersion(value);
      if (why !== undefined) other = refuseOtherVersion(`${key} of the inventory`, why);
      if (cluster !== undefined && inventory !== undefined) found.set(cluster, describe(cluster, inventory));
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
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, runs]) => runs);
}

async function look(namespace: string, options: FleetOptions, terminal: Terminal): Promise<readonly RunsNow[]> {
  const clusters = await readFleet(options, terminal);
  return [...clusters].flatMap(([name, { namespaces }]) => {
    const inventory = namespaces.get(namespace);
    return inventory === undefined ? [] : describe(name, inventory);
  });
}

/** What a namespace's pods run now; undefined when no fleet is named: the answer is offline then. */
export async function readRuns(
  namespace: string,
  options: FleetOptions,
  terminal: Terminal,
): Promise<RunsAnswer | undefined> {
  const place = findBus(options, terminal);
  if (options.kubeconfig === undefined && place === undefined) return undefined;
  try {
    const workloads =
      options.kubeconfig === undefined && place !== undefined
        ? await withBus(place, async (bus) => readBus(bus, namespace))
        : await look(namespace, options, terminal);
    return { workloads };
  } catch (error) {
    if (error instanceof Refusal) return { unknown: error.message };
    throw error;
  }
}
