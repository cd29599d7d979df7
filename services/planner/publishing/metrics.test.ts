import { createVirtualClock } from "#fakes/runtime";
import type { FleetStatus } from "#libs/plan";
import { createVitals } from "#libs/runtime";
import { expect, test } from "vitest";

import { createPlannerMetrics } from "./metrics.ts";

const status = {
  main: { head: "0".repeat(40), ageSeconds: 3 },
  where: [
    {
      bucket: ".*-staging",
      namespaces: 10,
      mixed: 1,
      shares: [{ revision: "new", requested: 25, namespaces: 3, actual: 30 }],
    },
  ],
  rollouts: [{ cluster: "east", run: "abc", workloads: [] }],
  runs: [
    {
      id: "abc",
      migrated: 1,
      idle: 3,
      migrating: 2,
      pending: 3,
      waiting: 4,
      skippedTotal: 5,
      skipped: [{ code: "ReadinessTimeout" }, { code: "ReadinessTimeout" }, { code: "what <b>ever" }],
    },
  ],
  clusters: [{ name: "east", workloads: 20, unmanaged: 4, rolling: 2, unhealthy: 1, drift: 0, ageSeconds: 1 }],
  stops: [
    { scope: "run/abc" },
    { scope: "cluster/east" },
    { scope: "run/def" },
    { scope: "all" },
    { scope: "runaway" },
  ],
} as unknown as FleetStatus;

function open() {
  const clock = createVirtualClock();
  const vitals = createVitals(clock);
  const metrics = createPlannerMetrics(vitals, clock);
  const print = async () => {
    const { text } = await vitals.metrics.print();
    return text.split("\n").filter((line) => line.startsWith("meshroll_"));
  };
  return { clock, metrics, print, vitals };
}

test("metrics show the published status", async () => {
  const { clock, metrics, print } = open();
  metrics.observer.put?.("status", "fleet", JSON.stringify(status));
  await clock.advance(2_000);
  expect(await print()).toEqual(
    expect.arrayContaining([
      'meshroll_share_percent{bucket=".*-staging",revision="new",source="requested"} 25',
      'meshroll_share_percent{bucket=".*-staging",revision="new",source="actual"} 30',
      'meshroll_namespaces{bucket=".*-staging",revision="new",source="running"} 3',
      'meshroll_workloads{cluster="east",state="managed"} 16',
      'meshroll_workloads{cluster="east",state="rolling"} 2',
      'meshroll_run_workloads{run="abc",class="skipped"} 5',
      "meshroll_runs_open 1",
      'meshroll_stops{scope="run"} 2',
      'meshroll_stops{scope="all"} 1',
      'meshroll_stops{scope="other"} 1',
      'meshroll_stragglers{reason="ReadinessTimeout"} 2',
      'meshroll_stragglers{reason="other"} 1',
      "meshroll_clusters_busy 1",
      "meshroll_main_age_seconds 5",
      'meshroll_inventory_age_seconds{cluster="east"} 3',
    ]),
  );
});

test("rows that leave the status leave the metrics, except counters", async () => {
  const { metrics, print } = open();
  metrics.observer.put?.("status", "fleet", JSON.stringify(status));
  metrics.observer.put?.("status", "fleet", JSON.stringify({ ...status, runs: [], clusters: [], stops: [] }));
  const lines = await print();
  expect(lines.filter((line) => /^meshroll_(?:run_workloads|workloads|stops|stragglers|inventory)/.test(line))).toEqual(
    [],
  );
  expect(lines).toContain("meshroll_runs_open 0");
});

test("the metrics of thousands of buckets are cut", async () => {
  const { metrics, print } = open();
  const where = Array.from({ length: 5_000 }, (_, index) => ({ ...status.where[0], bucket: `b${index}` }));
  metrics.observer.put?.("status", "fleet", JSON.stringify({ ...status, where }));
  expect((await print()).length).toBeLessThan(1_100);
});

test("reconciles, messages and faults are counted; each turn is a sign of life, even without leading", async () => {
  const { clock, metrics, print, vitals } = open();
  await clock.advance(61_000);
  expect(vitals.pulse.isAlive()).toBe(false);
  metrics.onTurn(false);
  expect(vitals.pulse.isAlive()).toBe(true);
  expect(await print()).toContain("meshroll_planner_leads 0");
  metrics.onTurn(true);
  metrics.onReconcile(40, false);
  expect((await print()).join("\n")).toContain("meshroll_planner_last_success_timestamp_seconds 0");
  metrics.onReconcile(200, true);
  metrics.observer.published?.("meshroll.v1.run.v1.started", "{}");
  metrics.observer.failed?.();
  metrics.onQueueProblems([{ code: "QueueEvicts", message: "Redis at r:1 …", help: "redis-cli" }]);
  expect(await print()).toEqual(
    expect.arrayContaining([
      'meshroll_reconcile_duration_seconds_bucket{le="0.1"} 1',
      "meshroll_reconcile_duration_seconds_count 2",
      "meshroll_reconciles_failed_total 1",
      "meshroll_planner_leads 1",
      expect.stringMatching(/^meshroll_planner_last_success_timestamp_seconds 1\d{9}/),
      'meshroll_messages_total{type="run.v1.started"} 1',
      "meshroll_bus_failures_total 1",
      'meshroll_queue_problems{problem="QueueEvicts"} 1',
    ]),
  );
});
