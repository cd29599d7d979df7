import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeShop, openShop, refOf, running, settingsOf, written } from "../shop.ts";

const many = Array.from({ length: 24 }, (_, index) => `n${index}`);

/** Every shop runs what the newest merged file wants. */
function expectAsMerged(flow: FleetFlow, names: readonly string[]): void {
  const wrong = names.filter((name) => running(flow, refOf(name)).join() !== flow.revisionOf(`shop-${name}`));
  expect(wrong).toEqual([]);
}

for (const steps of [
  [5, 25],
  [25, 50],
  [5, 25, 50, 100],
  [50, 75, 25],
]) {
  test(`1.3 ${steps.join(" -> ")} merged back to back loses no workload`, async () => {
    const flow = await openShop({ names: many, settings: settingsOf("batchSize: 4") });
    for (const percent of steps) {
      flow.whenMerged(file(percent));
      await flow.pass(15_000);
    }
    await flow.untilRunsEnd(steps.length);

    expectAsMerged(flow, many);
    await flow.end();
  });
}

test("1.3 two merges within one poll are two runs, the older served first, and no workload is moved twice", async () => {
  const flow = await openShop({ names: many, settings: settingsOf("batchSize: 4") });
  const ids = [25, 100].map((percent) => flow.whenMerged(file(percent)).slice(0, 12));
  const runs = await flow.untilRunsEnd(2);

  expect(runs.map(({ id, state }) => [id, state])).toEqual(ids.map((id) => [id, "done"]));
  expectAsMerged(flow, many);
  expect(written(flow)).toHaveLength(24);
  await flow.end();
});

test("1.1 a commit of comments in the middle of a batch changes nothing", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.until("something moves", () => written(flow).length > 0);

  flow.whenMerged(`# why\n${file(100)}`);
  const runs = await flow.untilRunsEnd(1);
  await flow.pass(60_000);

  expect(runs).toHaveLength(1);
  expect(await flow.runs()).toHaveLength(1);
  expect(countOn(flow, "new")).toBe(6);
  expect(written(flow)).toHaveLength(6);
  await flow.end();
});

test("2.1 a commit that reverts moves exactly those back that had moved, and uses their old ReplicaSets", async () => {
  const flow = await openShop({ names: many, settings: settingsOf("batchSize: 4") });
  flow.whenMerged(file(25));
  await flow.untilRunsEnd(1);
  const moved = many.filter((name) => running(flow, refOf(name)).join() === "new");
  const migrated = written(flow).length;

  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);

  expect(moved.length).toBe(migrated);
  expect(written(flow)).toHaveLength(2 * migrated);
  expect(countOn(flow, "old", many)).toBe(24);
  for (const name of moved) expect(flow.model("one").replicaSetsOf(refOf(name)), name).toHaveLength(2);
  await flow.end();
});

for (const strategy of ["Batched", "Window"] as const) {
  test(`4.1 ${strategy}: a revert in the middle of a batch that is stuck frees its workloads at once`, async () => {
    const settings = `defaults:\n  strategy: ${strategy}\n  batch: { batchSize: 2 }\n`;
    const flow = await openShop({ settings });
    for (const name of ["a", "b"])
      flow.model("one").breakWorkload(refOf(name), { how: "neverReady", whenRevision: "new" });
    flow.whenMerged(file(100), settings);
    await flow.until("two are stuck", () => written(flow).length === 2);
    await flow.pass(30_000);

    // Part of it stays: the run goes on, without the two that are stuck.
    flow.whenMerged(`${file(100)}shop-a: { old: 100 }\nshop-b: { old: 100 }\n`, settings);
    await flow.pass(60_000);
    const freed = ["a", "b"].map((name) => running(flow, refOf(name)).join());
    await flow.untilRunsEnd(2);

    expect(freed).toEqual(["old", "old"]);
    expectAsMerged(flow, ["a", "b", "c", "d", "e", "f"]);
    await flow.end();
  });
}

test("1.7 a main that does not parse stops everything until a later commit parses", async () => {
  const flow = await openShop();
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100), settingsOf("batchSize: 2, failurePolicy: ContinueOnError"));
  await flow.until("something moves", () => written(flow).length > 0);
  flow.remote.commitToMain({ files: { "rollouts.yml": "production: { old: 50 }\n" }, at: flow.clock.now() });
  await flow.pass(600_000);
  // What was in flight was watched to its end: one arrived, the other was put back.
  const during = written(flow).length;
  expect([running(flow, refOf("a")), running(flow, refOf("b")), during]).toEqual([["old"], ["new"], 3]);
  const waiting = (await flow.status())?.waitingFor.map(({ code }) => code);

  expect(written(flow)).toHaveLength(during);
  flow.whenMerged(file(100));
  const runs = await flow.untilRunsEnd(1);
  expect(waiting).toContain("MainUnparsable");
  expect(runs).toHaveLength(1);
  expect(countOn(flow, "new")).toBe(5);
  await flow.end();
});

test("4.1 two executors of one cluster and two planners at once: nothing is doubled", async () => {
  const flow = await makeShop({ names: many, settings: settingsOf("batchSize: 3") });
  flow.startExecutor().startExecutor("act", 700).startPlanner().startPlanner();
  await flow.pass(30_000);
  flow.whenMerged(file(100));
  const runs = await flow.untilRunsEnd(1);
  await flow.pass(60_000);

  expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 24]]);
  expect(written(flow)).toHaveLength(24);
  expect(await flow.runs()).toHaveLength(1);
  await flow.end();
});

test("9.1 an executor that only observes writes nothing, and gets no batch", async () => {
  const flow = await makeShop();
  flow.startExecutor("observe").startPlanner();
  await flow.pass(30_000);
  flow.whenMerged(file(100));
  await flow.pass(300_000);

  expect(flow.model("one").writes).toEqual([]);
  expect((await flow.status())?.waitingFor.map(({ code }) => code)).toEqual(["ObserveOnly"]);
  await flow.end();
});

test("1.2 without a baseline, and after it, what differs from the file that day is not moved", async () => {
  const flow = await makeShop({ percent: 100 });
  flow.startExecutor().startPlanner();
  await flow.pass(300_000);

  expect(flow.model("one").writes).toEqual([]);
  expect((await flow.status())?.clusters[0]?.drift).toBe(6);
  await flow.end();
});

test("4.3 executors hear of a commit before its first job comes: no batch is handed out in vain", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);

  const handedOut = flow.bus.messages.filter(({ subject }) => subject.endsWith("batch.v1.handedOut"));
  expect([handedOut.length, written(flow).length]).toEqual([3, 6]);
  await flow.end();
});
