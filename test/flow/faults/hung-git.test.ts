import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, listWaits, openShop, refOf, running, settingsOf, listMovedPaths } from "../shop.ts";

const minute = 60_000;

/** Moves every workload to `new` by one run, which ends; returns its id. */
async function moveAll(flow: FleetFlow): Promise<string> {
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  return id;
}

/** Ms from now until the first workload is written back. */
async function measureRollback(flow: FleetFlow): Promise<number> {
  const [before, began] = [listMovedPaths(flow).length, flow.clock.now()];
  for (let step = 0; step < 600 && listMovedPaths(flow).length === before; step += 1) await flow.pass(100);
  return flow.clock.now() - began;
}

test("2.4 rollback --now while git hangs: the first workload is written back within 5 s, and the beat continues", async () => {
  const flow = await openShop();
  const id = await moveAll(flow);
  const speak = flow.server.hang("planner", "executor");
  await flow.pass(2 * minute);
  const beats = new Set<string>();
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  const took = await measureRollback(flow);
  for (let second = 0; second < 60; second += 1) {
    await flow.pass(1000);
    beats.add(String((await flow.bucket("control").get("state"))?.value));
  }
  await flow.until("all are back", () => countOn(flow, "old") === 6, 3 * minute);
  const waiting = await listWaits(flow);
  speak();
  await flow.until(
    "it is recorded",
    async () => Object.keys((await flow.ledger())?.stops ?? {}).length === 1,
    2 * minute,
  );

  expect(took).toBeLessThanOrEqual(5000);
  expect(beats.size).toBeGreaterThanOrEqual(6);
  expect(waiting.filter((code) => code === "LedgerDown" || code === "LedgerSlow")).toHaveLength(1);
  expect(listMovedPaths(flow)).toHaveLength(12);
  await flow.end();
});

test("7.2 a pause reaches every cluster before a git call that hangs returns, and its ConfigMap keeps it", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 1"), readyMs: 30_000 });
  flow.whenMerged(file(100));
  await flow.until("something moves", () => listMovedPaths(flow).length === 1);
  const speak = flow.server.hang("planner", "executor");
  await flow.until("a call hangs", () => flow.server.waiting > 0);
  const hanging = flow.server.waiting;
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(1000);
  const recorded = flow
    .model("one")
    .writes.filter(({ path, status }) => status < 300 && path.includes("/meshroll-system/configmaps"));
  const stillHanging = flow.server.waiting;
  const before = listMovedPaths(flow).length;
  await flow.pass(15 * minute);
  const after = listMovedPaths(flow).length;
  speak();
  await flow.until(
    "it is recorded",
    async () => Object.keys((await flow.ledger())?.stops ?? {}).length === 1,
    2 * minute,
  );

  expect(recorded.length).toBeGreaterThan(0);
  expect(stillHanging).toBeGreaterThanOrEqual(hanging);
  expect(after).toBe(before);
  await flow.end();
});

test("12.1 after half an hour of a hung git nothing moves forward, and rollback --now still works", async () => {
  const flow = await openShop({ readyMs: 200_000 });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("something moves", () => listMovedPaths(flow).length > 0);
  const speak = flow.server.hang("planner", "executor");
  await flow.pass(12 * minute);
  const within = listMovedPaths(flow).length;
  await flow.pass(18 * minute);
  const after = listMovedPaths(flow).length;
  const waiting = await listWaits(flow);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  const took = await measureRollback(flow);
  await flow.until("all are back", () => countOn(flow, "old") === 6, 20 * minute);
  speak();
  await flow.until(
    "it is recorded",
    async () => Object.keys((await flow.ledger())?.stops ?? {}).length === 1,
    2 * minute,
  );

  expect([after, waiting]).toEqual([within, ["GitDown"]]);
  expect(took).toBeLessThanOrEqual(5000);
  await flow.end();
});

test("2.4 planner and executor that start while git hangs carry out a rollback --now that is on the bus", async () => {
  const flow = await openShop();
  flow.server.keepsClones = true;
  await flow.killPlanner();
  await flow.killExecutor();
  await flow.startExecutor().startPlanner().pass(30_000);
  const id = await moveAll(flow);
  await flow.pass(minute);
  const speak = flow.server.hang("planner", "executor");
  await flow.killPlanner();
  await flow.killExecutor();
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  flow.startExecutor().startPlanner();
  const took = await measureRollback(flow);
  await flow.until("all are back", () => countOn(flow, "old") === 6, 3 * minute);
  speak();
  await flow.until(
    "it is recorded",
    async () => Object.keys((await flow.ledger())?.stops ?? {}).length === 1,
    2 * minute,
  );

  expect(took).toBeLessThanOrEqual(10_000);
  expect(listMovedPaths(flow)).toHaveLength(12);
  await flow.end();
});

test("4.3 planner and executor that start without a clone while git hangs move nothing, and say why", async () => {
  const flow = await openShop();
  await flow.killPlanner();
  await flow.killExecutor();
  const speak = flow.server.hang("planner", "executor");
  flow.startExecutor().startPlanner();
  flow.whenMerged(file(100));
  await flow.pass(5 * minute);
  const [during, waiting] = [listMovedPaths(flow).length, await listWaits(flow)];
  speak();
  await flow.untilRunsEnd(1);

  expect([during, waiting]).toEqual([0, ["GitDown"]]);
  expect(running(flow, refOf("a"))).toEqual(["new"]);
  await flow.end();
});

test("a batch that waits for the executor's git is named as a wait within seconds, and only while it waits", async () => {
  const flow = await openShop();
  const speak = flow.server.hang("executor");
  flow.whenMerged(file(100));
  await flow.pass(30_000);
  const problemsOf = async () => (await flow.status())?.clusters.flatMap(({ problems }) => problems) ?? [];
  const [during, named] = [listMovedPaths(flow).length, await problemsOf()];
  speak();
  await flow.untilRunsEnd(1);

  expect([during, named]).toEqual([
    0,
    [expect.stringMatching(/^ControlAhead: a batch of run \w+ waits: .*not fetched yet/)],
  ]);
  expect(await problemsOf()).toEqual([]);
  await flow.end();
});
