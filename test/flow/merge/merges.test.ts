import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, makeShop, openShop, refOf, running, settingsOf, listMovedPaths } from "../shop.ts";

const many = Array.from({ length: 24 }, (_, index) => `n${index}`);

/** Expects that every shop runs what the newest merged file wants. */
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
  expect(listMovedPaths(flow)).toHaveLength(24);
  await flow.end();
});

for (const strategy of ["Batched", "Window"] as const) {
  test(`4.1 ${strategy}: a revert in the middle of a batch that is stuck frees its workloads at once`, async () => {
    const settings = `defaults:\n  strategy: ${strategy}\n  batch: { batchSize: 2 }\n`;
    const flow = await openShop({ settings });
    for (const name of ["a", "b"])
      flow.model("one").breakWorkload(refOf(name), { how: "neverReady", whenRevision: "new" });
    flow.whenMerged(file(100), settings);
    await flow.until("two are stuck", () => listMovedPaths(flow).length === 2);
    await flow.pass(30_000);

    // The rest of the change stays, so the run goes on without the two stuck workloads.
    flow.whenMerged(`${file(100)}shop-a: { old: 100 }\nshop-b: { old: 100 }\n`, settings);
    await flow.pass(60_000);
    const freed = ["a", "b"].map((name) => running(flow, refOf(name)).join());
    await flow.untilRunsEnd(2);

    expect(freed).toEqual(["old", "old"]);
    expectAsMerged(flow, ["a", "b", "c", "d", "e", "f"]);
    await flow.end();
  });
}

test("9.1 an executor that only observes writes nothing, gets no batch, and records no stop in the cluster", async () => {
  const flow = await makeShop();
  flow.startExecutor("observe").startPlanner();
  await flow.pass(30_000);
  flow.whenMerged(file(100));
  await flow.pass(300_000);
  const waiting = (await flow.status())?.waiting.map(({ code }) => code);
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(60_000);

  expect(waiting).toEqual(["ObserveOnly"]);
  expect(flow.model("one").writes).toEqual([]);
  await flow.end();
});

test("1.2 before and after the baseline, workloads that already differed from the file are not moved", async () => {
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
  expect([handedOut.length, listMovedPaths(flow).length]).toEqual([3, 6]);
  await flow.end();
});
