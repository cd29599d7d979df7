import type { BusObserver } from "#libs/bus";
import type { FleetStatus } from "#libs/plan";
import type { QueueTrouble } from "#libs/queue";
import type { Clock, Vitals } from "#libs/runtime";

import { createStatusMetrics } from "./status-metrics.ts";

/** Hooks by which the planner's metrics are counted. */
export interface PlannerMetrics {
  /** Called for each message and value that the planner writes to the bus. */
  readonly observer: BusObserver;
  readonly onTurn: (leads: boolean) => void;
  readonly onReconcile: (ms: number, succeeded: boolean) => void;
  /** Problems of the Redis server, as last checked. */
  readonly onQueueProblems: (problems: readonly QueueTrouble[]) => void;
}

/** The planner's metrics; docs/reference/metrics.md has a line for each. */
export function createPlannerMetrics({ metrics, pulse }: Vitals, clock: Clock): PlannerMetrics {
  const reconciles = metrics.duration(
    "meshroll_reconcile_duration_seconds",
    "How long one reconcile of the planner takes",
  );
  const failed = metrics.count("meshroll_reconciles_failed_total", "Reconciles that failed");
  const success = metrics.level(
    "meshroll_planner_last_success_timestamp_seconds",
    "When a reconcile last came to its end",
  );
  const leading = metrics.level("meshroll_planner_leads", "1 while this planner leads, 0 while it waits for the lease");
  const messages = metrics.count("meshroll_messages_total", "Messages that the bus took, by type", ["type"]);
  const faults = metrics.count("meshroll_bus_failures_total", "Calls of the bus that failed");
  const problems = metrics.level("meshroll_queue_problems", "What is wrong with the Redis, by name", ["problem"]);
  const showStatus = createStatusMetrics(metrics, clock);
  return {
    observer: {
      published: (subject) => messages.add({ type: subject.replace("meshroll.v1.", "") }),
      failed: () => faults.add(),
      put(bucket, key, value) {
        if (bucket === "status" && key === "fleet") showStatus(JSON.parse(value) as FleetStatus);
      },
    },
    onTurn(leads) {
      pulse.beat();
      leading.set(leads ? 1 : 0);
    },
    onReconcile(ms, succeeded) {
      reconciles.observe(ms / 1000);
      if (!succeeded) return failed.add();
      // Alerts compare it with Prometheus' clock, so it is wall time, also where the services' clock is another one.
      success.set(Date.now() / 1000);
    },
    onQueueProblems: (all) => problems.replace(all.map(({ code }) => [{ problem: code }, 1])),
  };
}
