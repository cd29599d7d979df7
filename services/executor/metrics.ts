import { type Bus, type BusObserver, printBusTrouble } from "#libs/bus";
import { readControlState } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import type { Cluster, ReflectorFault, WriteOutcome } from "#libs/kube";
import { printQueueTrouble, type QueueTrouble } from "#libs/queue";
import type { Clock, MetricRow, Vitals } from "#libs/runtime";

import { createMoveMetrics } from "./move-metrics.ts";

/** What the executor counts about itself. */
export interface ExecutorMetrics {
  /** Counts messages and failures of the bus, and the age of control. */
  readonly observer: BusObserver;
  readonly onReconcile: (cluster: string, ms: number) => void;
  readonly onEventsLost: (cluster: string, count: number) => void;
  readonly onWatchFault: (cluster: string, fault: ReflectorFault) => void;
  /** What is wrong with the Redis server: listed among the problems of every cluster, because `status` shows those. */
  readonly onQueueProblems: (problems: readonly QueueTrouble[]) => void;
  /** A missing right on the bus is listed among the problems of every cluster too. */
  followBus(bus: Pick<Bus, "trouble">): void;
  /** The same cluster; its writes and the API server's errors are counted. */
  observeCluster(cluster: Cluster): Cluster;
  /** The same repository; the age of main counts from its last fetch. */
  observeRepository(repository: RolloutsRepository): RolloutsRepository;
}

/** The executor's metrics; docs/reference/metrics.md has a line for each. */
export function createExecutorMetrics({ metrics, pulse }: Vitals, clock: Clock): ExecutorMetrics {
  const reconciles = metrics.duration(
    "meshroll_reconcile_duration_seconds",
    "How long one reconcile at a cluster takes",
    ["cluster"],
  );
  const errors = metrics.count("meshroll_api_server_errors_total", "What an API server refused or did not answer", [
    "cluster",
    "kind",
  ]);
  const writes = metrics.count("meshroll_api_server_writes_total", "Writes by outcome", ["cluster", "outcome"]);
  const events = metrics.count("meshroll_kubernetes_events_total", "Events on workloads by outcome", [
    "cluster",
    "outcome",
  ]);
  const messages = metrics.count("meshroll_messages_total", "Messages that the bus took, by type", ["type"]);
  const faults = metrics.count("meshroll_bus_failures_total", "Calls of the bus that failed");
  const problems = metrics.level("meshroll_queue_problems", "What is wrong with the Redis, by name", ["problem"]);
  const note = createMoveMetrics(metrics, clock);
  let queueProblems: readonly QueueTrouble[] = [];
  let bus: Pick<Bus, "trouble"> | undefined;
  const listBusTrouble = (): readonly string[] => {
    const trouble = bus?.trouble();
    return trouble === undefined ? [] : [printBusTrouble(trouble)];
  };
  let beat = "";
  const clusters: Cluster[] = [];
  /** When main was read and control last changed, monotonic ms; NaN before. */
  const at = { main: Number.NaN, control: Number.NaN };
  const ageOf = (moment: number): number => (clock.monotonic() - moment) / 1000;
  const known = (moment: number): readonly MetricRow[] => (Number.isFinite(moment) ? [[{}, ageOf(moment)]] : []);
  metrics.ask("meshroll_main_age_seconds", "Since main was last read", [], () => known(at.main));
  metrics.ask("meshroll_control_age_seconds", "Since control was last seen to change", [], () => known(at.control));
  metrics.ask("meshroll_api_server_age_seconds", "Since an API server last answered", ["cluster"], () =>
    clusters
      .filter(({ view }) => Number.isFinite(view.seenAtMonotonic()))
      .map(({ name, view }) => [{ cluster: name }, ageOf(view.seenAtMonotonic())]),
  );

  function countWrite(cluster: string, outcome: WriteOutcome): WriteOutcome {
    writes.add({ cluster, outcome: outcome.kind });
    if (outcome.kind === "refused" || outcome.kind === "unavailable") errors.add({ cluster, kind: outcome.kind });
    return outcome;
  }

  return {
    observer: {
      published(subject, body) {
        messages.add({ type: subject.replace("meshroll.v1.", "") });
        note(body);
      },
      failed: () => faults.add(),
      heard(bucket, { key, value }) {
        const state =
          bucket === "control" && key === "state" && value !== undefined ? readControlState(value) : undefined;
        if (state === undefined || state.beat === beat) return;
        beat = state.beat;
        at.control = clock.monotonic();
      },
    },
    onReconcile(cluster, ms) {
      pulse.beat();
      reconciles.observe(ms / 1000, { cluster });
    },
    onEventsLost: (cluster, count) => events.add({ cluster, outcome: "lost" }, count),
    onWatchFault: (cluster, { kind }) => errors.add({ cluster, kind }),
    onQueueProblems(all) {
      queueProblems = all;
      problems.replace(all.map(({ code }) => [{ problem: code }, 1]));
    },
    followBus: (each) => void (bus = each),
    observeCluster(cluster) {
      const { name } = cluster;
      clusters.push(cluster);
      return {
        ...cluster,
        patchWorkload: async (ref, change) => countWrite(name, await cluster.patchWorkload(ref, change)),
        patchNamespace: async (target, change) => countWrite(name, await cluster.patchNamespace(target, change)),
        claim: async (installation) => countWrite(name, await cluster.claim(installation)),
        recordStops: async (entries) => countWrite(name, await cluster.recordStops(entries)),
        recordEvent: async (event) => {
          const outcome = await cluster.recordEvent(event);
          events.add({ cluster: name, outcome: outcome.kind });
          return outcome;
        },
        problems: () => [...cluster.problems(), ...queueProblems.map(printQueueTrouble), ...listBusTrouble()],
      };
    },
    observeRepository: (repository) => ({
      ...repository,
      async fetch(signal) {
        const heads = await repository.fetch(signal);
        at.main = clock.monotonic();
        return heads;
      },
    }),
  };
}
