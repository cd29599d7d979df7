import { setTimeout as sleep } from "node:timers/promises";

import { onTestFinished } from "vitest";

import { createModel, createStepClock, type KubeModel, type StepClock } from "#fakes/kube";
import type { Workload, WorkloadRef } from "#libs/fleet";
import { type Cluster, type ClusterOptions, openCluster, type ReflectorFault, type ReflectorTiming } from "#libs/kube";
import type { Clock } from "#libs/runtime";

import { type KubeServer, startKube } from "./start-kube.ts";

/** Real time, for tests of what happens on real sockets. */
export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
  sleepReal: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

/** A reflector that does not make a test wait. */
export const SHORT: ReflectorTiming = {
  firstRetryMs: 2,
  longestRetryMs: 20,
  relistMs: 0,
  forbiddenRetryMs: 10,
  absentRetryMs: 10,
  idleMs: 5_000,
  watchSeconds: 60,
};

/** A cluster over real sockets, with all that goes on between it and its server in view. */
export interface Wire {
  readonly clock: StepClock;
  readonly model: KubeModel;
  readonly server: KubeServer;
  readonly cluster: Cluster;
  readonly faults: readonly ReflectorFault[];
  /** URLs asked for since `spy` was called, without the host. */
  spy(): readonly string[];
  start(): Promise<void>;
  until(condition: () => boolean): Promise<void>;
  see(ref: WorkloadRef): Workload | undefined;
}

/** Serves a model and opens a cluster on it; both end with the test. */
export async function openWire(options: Partial<ClusterOptions> & { readonly token?: string } = {}): Promise<Wire> {
  const clock = createStepClock();
  const model = createModel({ clock });
  const { token, ...own } = options;
  const server = await startKube({ model, bookmarkMs: 10, ...(token === undefined ? {} : { token }) });
  const faults: ReflectorFault[] = [];
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((look) => look());
  const cluster = openCluster({
    name: "east",
    kubeconfig: { text: server.kubeconfig() },
    clock: realClock,
    ...own,
    timing: { ...SHORT, ...own.timing },
    onFault: (fault) => {
      faults.push(fault);
      wake();
    },
  });
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await server.close();
  });
  return {
    clock,
    model,
    server,
    cluster,
    faults,
    spy: () => {
      const urls: string[] = [];
      server.faults.answerNext({ status: 500, when: ({ url }) => urls.push(url) < 0 });
      return urls;
    },
    start: () => cluster.start(wake, stop.signal),
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
    see: ({ namespace, kind, name }) =>
      cluster.view.namespaces
        .get(namespace)
        ?.workloads.find((workload) => workload.kind === kind && workload.name === name),
  };
}
