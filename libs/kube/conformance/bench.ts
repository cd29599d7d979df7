import { afterEach, beforeEach } from "vitest";

import type { Workload, WorkloadRef } from "#libs/fleet";

import type { KubeModel } from "#fakes/kube";
import type { Change, Cluster } from "../port.ts";

/** What the suite does in the cluster behind the implementation: creates and breaks things. */
export type Ground = Pick<
  KubeModel,
  | "addNamespace"
  | "addDeployment"
  | "addStatefulSet"
  | "addDaemonSet"
  | "addIstiod"
  | "setIstiod"
  | "addTag"
  | "addPdb"
  | "addPod"
  | "addRollout"
  | "promoteRollout"
  | "abortRollout"
  | "serveRollouts"
  | "addWorkloadGroup"
  | "addWorkloadEntry"
  | "setEntryHealth"
  | "deleteWorkloadEntry"
  | "serveWorkloadGroups"
  | "deletePod"
  | "endPod"
  | "removeWebhook"
  | "setConfigMap"
  | "deleteConfigMap"
  | "deleteWorkload"
  | "deleteNamespace"
  | "terminateNamespace"
  | "ownerApply"
  | "ownerPatchNamespace"
  | "breakWorkload"
  | "replicaSetsOf"
  | "podsOf"
  | "eventsOf"
  | "faults"
  | "writes"
>;

export interface Bench {
  readonly ground: Ground;
  readonly cluster: Cluster;
  /** Advances the cluster's time. */
  advance(ms: number): void;
  /** Lets the time pass after which a silent watch is given up; does nothing where it passes by itself. */
  passSilence(): void;
  close(): Promise<void>;
}

/** The tools of one test. */
export interface BenchTools {
  readonly ground: Ground;
  readonly cluster: Cluster;
  /** Namespaces passed to `onChange` so far, in order. */
  readonly changes: readonly (string | undefined)[];
  advance(ms: number): void;
  passSilence(): void;
  /** Starts the cluster; resolves after the first list of everything. */
  start(): Promise<void>;
  /** Resolves when the condition holds; checked after every change. */
  until(condition: () => boolean): Promise<void>;
  /** The workload as the view shows it now. */
  see(ref: WorkloadRef): Workload | undefined;
  /** A change of the label of the workload in the view. */
  relabel(ref: WorkloadRef, revision: string | null): Change;
}

/** Promises that wait for a condition of a cluster's view. */
export interface Waits {
  /** Checks every condition that is waited for: to be called after each change. */
  readonly check: () => void;
  /** Resolves when the condition holds. */
  readonly until: (condition: () => boolean) => Promise<void>;
}

export function createWaits(): Waits {
  const waiting = new Set<() => void>();
  return {
    check() {
      for (const look of waiting) look();
    },
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Makes new tools before each test and closes them after it. */
export function useBench(make: () => Promise<Bench>): BenchTools {
  let bench: Bench | undefined;
  let stop = new AbortController();
  const changes: (string | undefined)[] = [];
  const waits = createWaits();
  const current = () => {
    if (bench === undefined) throw new Error("the bench is there only within a test");
    return bench;
  };
  beforeEach(async () => {
    stop = new AbortController();
    changes.length = 0;
    bench = await make();
  });
  afterEach(async () => {
    stop.abort();
    await bench?.close();
    bench = undefined;
  });
  const see: BenchTools["see"] = ({ namespace, kind, name }) =>
    current()
      .cluster.view.namespaces.get(namespace)
      ?.workloads.find((workload) => workload.kind === kind && workload.name === name);
  return {
    get ground() {
      return current().ground;
    },
    get cluster() {
      return current().cluster;
    },
    changes,
    see,
    advance: (ms) => current().advance(ms),
    passSilence: () => current().passSilence(),
    start: () =>
      current().cluster.start((namespace) => {
        changes.push(namespace);
        waits.check();
      }, stop.signal),
    until: waits.until,
    relabel: (ref, revision) => {
      const workload = see(ref);
      if (workload === undefined) throw new Error(`the view has no ${ref.namespace}/${ref.kind}/${ref.name}`);
      const { resourceVersion } = workload;
      return { resourceVersion, template: { labels: { "istio.io/rev": revision } } };
    },
  };
}

/** The ready and all pods of the workload by revision, for example `1-29:2/3`. */
export function printPods(workload: Workload | undefined): string {
  return (workload?.pods ?? []).map(({ revision = "none", ready, count }) => `${revision}:${ready}/${count}`).join(" ");
}
