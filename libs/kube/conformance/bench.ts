import { afterEach, beforeEach } from "vitest";

import type { Workload, WorkloadRef } from "#libs/fleet";

import type { KubeModel } from "#fakes/kube";
import type { Change, Cluster } from "../port.ts";

/** What the suite needs of the cluster under it: a hand that makes and breaks things there. */
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
  /** Lets the ground's time go on. */
  advance(ms: number): void;
  /** Lets the time pass after which a silent watch is given up; nothing to do where it passes by itself. */
  passSilence(): void;
  close(): Promise<void>;
}

/** A bench for one test, and the ways in which a test looks at its cluster. */
export interface BenchTools {
  readonly ground: Ground;
  readonly cluster: Cluster;
  /** Names told to `onChange` so far, in order. */
  readonly changes: readonly (string | undefined)[];
  advance(ms: number): void;
  passSilence(): void;
  /** Starts the cluster: everything was listed afterwards. */
  start(): Promise<void>;
  /** Resolves when the condition holds, looked at after every change. */
  until(condition: () => boolean): Promise<void>;
  /** The workload as the view has it now. */
  see(ref: WorkloadRef): Workload | undefined;
  /** A change of the workload as it is in the view. */
  relabel(ref: WorkloadRef, revision: string | null): Change;
}

/** Makes a bench before each test and closes it after. */
export function useBench(make: () => Promise<Bench>): BenchTools {
  let bench: Bench | undefined;
  let stop = new AbortController();
  const changes: (string | undefined)[] = [];
  const waiting = new Set<() => void>();
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
        for (const look of waiting) look();
      }, stop.signal),
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
    relabel: (ref, revision) => {
      const workload = see(ref);
      if (workload === undefined) throw new Error(`the view has no ${ref.namespace}/${ref.kind}/${ref.name}`);
      const { resourceVersion } = workload;
      return { resourceVersion, template: { labels: { "istio.io/rev": revision } } };
    },
  };
}

/** Pods of the workload in one word per revision, for example `1-29:2/3`: ready of all. */
export function tellPods(workload: Workload | undefined): string {
  return (workload?.pods ?? []).map(({ revision = "none", ready, count }) => `${revision}:${ready}/${count}`).join(" ");
}
