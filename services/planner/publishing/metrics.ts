import type { BusObserver } from "#libs/bus";
import type { FleetStatus } from "#libs/plan";
import type { QueueTrouble } from "#libs/queue";
import type { Clock, Vitals } from "#libs/runtime";

import { createStatusMetrics } from "./status-metrics.ts";

/** What the planner counts about itself. */
export interface PlannerMetrics {
  /** Sees what the planner tells the bus. */
  readonly observer: BusObserver;
  readonly onTurn: (leads: boolean) => void;
  readonly onReconcile: (ms: number, succeeded: boolean) => void;
  /** What is wrong with the queue's server, by their codes. */
  readonly onQueueProblems: (problems: readonly QueueTrouble[]) => void;
}

/** The planner's metrics; docs/reference/metrics.md has a line for each. */
export function createPlannerMetrics({ metrics, pulse }: Vitals, clock: Clock): PlannerMetrics {
  const reconciles = metrics.duration(
    "meshroll_reconcile_duration_seconds",
    "How long one reconcile of the planner takes",
  );
  const failed = metrics.count("meshroll_reconciles_failed_total", "Looks that did not come to their end");
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
      // Alerts compare it with their own clock, which is the wall's.
      success.set(Date.now() / 1000);
    },
    onQueueProblems: (all) => problems.replace(all.map(({ code }) => [{ problem: code }, 1])),
  };
}
