import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createModel, fakeCluster, toModelClock } from "#fakes/kube";
import { createVirtualClock } from "#fakes/runtime";
import { type EventData, makeEvent, printControlState } from "#libs/events";
import type { Cluster, WriteOutcome } from "#libs/kube";
import { createVitals } from "#libs/runtime";
import { expect, test } from "vitest";

import { createExecutorMetrics } from "./metrics.ts";

const workload = { run: "abc", cluster: "east", workload: "shop/Deployment/web", revision: "new" };

function open() {
  const clock = createVirtualClock();
  const vitals = createVitals(clock);
  const metrics = createExecutorMetrics(vitals, clock);
  const print = async () => {
    const { text } = await vitals.metrics.print();
    return text.split("\n").filter((line) => line.startsWith("meshroll_"));
  };
  const model = createModel({ clock: toModelClock(clock), seed: "east" });
  const cluster = fakeCluster(model, "east", { monotonic: () => clock.monotonic() });
  return { clock, vitals, metrics, print, cluster };
}

type Told = "workloadMoved" | "workloadMigrated" | "workloadFailed" | "workloadReverted";

test("restarts are counted by result, with their duration", async () => {
  const { clock, metrics, print } = open();
  const tell = (name: Told, data: EventData<Told> & { readonly reason?: string; readonly reverted?: boolean }) => {
    const full = { reason: "", reverted: true, ...data };
    metrics.observer.published?.("meshroll.v1.x", JSON.stringify(makeEvent(name, name, clock.now(), full)));
  };
  tell("workloadMoved", workload);
  await clock.advance(20_000);
  tell("workloadMigrated", workload);
  tell("workloadMoved", workload);
  tell("workloadFailed", { ...workload, code: "ReadinessTimeout", reason: "ReadinessTimeout: 5m passed" });
  // Its start was not seen, so its duration is unknown.
  tell("workloadMigrated", { ...workload, workload: "shop/Deployment/other" });
  metrics.observer.published?.("meshroll.v1.x", "{}");
  expect(await print()).toEqual(
    expect.arrayContaining([
      'meshroll_restarts_total{cluster="east",result="moved",reason=""} 2',
      'meshroll_restarts_total{cluster="east",result="migrated",reason=""} 2',
      'meshroll_restarts_total{cluster="east",result="failed",reason="ReadinessTimeout"} 1',
      'meshroll_restart_duration_seconds_sum{cluster="east"} 20',
      'meshroll_restart_duration_seconds_count{cluster="east"} 1',
    ]),
  );
});

test("answers of an API server are counted and passed on unchanged", async () => {
  const { metrics, print, cluster } = open();
  const outcomes: readonly WriteOutcome[] = [
    { kind: "written", resourceVersion: "7" },
    { kind: "conflict" },
    { kind: "refused", why: "no" },
    { kind: "unavailable", why: "away" },
  ];
  let count = 0;
  const next = async () => outcomes[count++ % outcomes.length] ?? { kind: "gone" as const };
  const observed = metrics.observeCluster({ ...cluster, patchWorkload: next, patchNamespace: next, recordStops: next });
  const ref = { namespace: "shop", kind: "Deployment", name: "web" } as const;
  const got = [
    await observed.patchWorkload(ref, { resourceVersion: "1" }),
    await observed.patchNamespace("shop", { resourceVersion: "1" }),
    await observed.recordStops({}),
    await observed.recordStops({}),
  ];
  metrics.onWatchFault("east", { resource: "pods", kind: "cut", why: "…" });
  expect(got).toEqual(outcomes);
  expect(await print()).toEqual(
    expect.arrayContaining([
      'meshroll_api_server_writes_total{cluster="east",outcome="written"} 1',
      'meshroll_api_server_writes_total{cluster="east",outcome="conflict"} 1',
      'meshroll_api_server_errors_total{cluster="east",kind="refused"} 1',
      'meshroll_api_server_errors_total{cluster="east",kind="unavailable"} 1',
      'meshroll_api_server_errors_total{cluster="east",kind="cut"} 1',
    ]),
  );
});

test("a Redis that may lose batches is a problem of every cluster, until it is fixed", async () => {
  const { metrics, print, cluster } = open();
  const observed: Cluster = metrics.observeCluster(cluster);
  metrics.onQueueProblems([{ code: "QueueForgets", message: "no append-only file", help: "redis-cli" }]);
  expect(observed.problems()).toEqual(["QueueForgets: no append-only file; fix with: redis-cli"]);
  expect(await print()).toContain('meshroll_queue_problems{problem="QueueForgets"} 1');
  metrics.onQueueProblems([]);
  expect(observed.problems()).toEqual([]);
});

test("main and control have an age only once they were seen", async () => {
  const { clock, metrics, print } = open();
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "production:\n  a: 100\n" }, message: "x", author: "ana", at: 0 });
  const repository = metrics.observeRepository(openFakeRepository(remote));
  const state = { version: 1 as const, main: "a".repeat(40), seeded: true, writer: "w" };
  const hear = (beat: string) =>
    metrics.observer.heard?.("control", { key: "state", value: printControlState({ ...state, beat }), revision: 1 });
  expect((await print()).join("\n")).not.toMatch(/meshroll_(?:main|control)_age/);
  await repository.fetch();
  hear("1");
  await clock.advance(4_000);
  hear("1");
  expect(await print()).toEqual(
    expect.arrayContaining(["meshroll_main_age_seconds 4", "meshroll_control_age_seconds 4"]),
  );
  hear("2");
  expect(await print()).toContain("meshroll_control_age_seconds 0");
});

test("a reconcile is a sign of life", async () => {
  const { clock, metrics, print, vitals } = open();
  await clock.advance(61_000);
  metrics.onReconcile("east", 30);
  expect(vitals.pulse.isAlive()).toBe(true);
  expect(await print()).toContain('meshroll_reconcile_duration_seconds_count{cluster="east"} 1');
});
