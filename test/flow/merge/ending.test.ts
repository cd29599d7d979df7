import { describe, expect, test } from "vitest";

import { countRolling, file, openShop, listMovedPaths } from "../shop.ts";

test("an executor that is asked to end finishes the patch in hand, gives the batch back at once, and ends", async () => {
  const flow = await openShop({ readyMs: 60_000 });
  const faster = flow.model("one").faults.delayAnswers(2000);
  flow.whenMerged(file(100));
  await flow.until("a job is held", async () => (await flow.job()) === "active");
  // Until the dry run before the patch is answered.
  await flow.pass(3000);
  const before = listMovedPaths(flow).length;

  const ms = await flow.stopExecutor("one");
  expect([before, listMovedPaths(flow).length, await flow.job()]).toEqual([0, 1, "waiting"]);
  expect(ms).toBeLessThan(10_000);

  faster();
  flow.startExecutor();
  const [run] = await flow.untilRunsEnd(1);
  expect([run?.outcome?.migrated, listMovedPaths(flow).length, new Set(listMovedPaths(flow)).size]).toEqual([6, 6, 6]);
  await flow.end();
});

test("another executor ends the begun job before the lock of the first would have ended", async () => {
  const flow = await openShop({ readyMs: 60_000 });
  flow.whenMerged(file(100));
  await flow.until("a batch rolls", () => countRolling(flow) === 2);
  await flow.stopExecutor("one");
  expect(await flow.job()).toBe("waiting");
  flow.startExecutor();
  await flow.pass(500);
  expect(await flow.job()).toBeUndefined();
  await flow.untilRunsEnd(1);
  expect(listMovedPaths(flow)).toHaveLength(6);
  await flow.end();
});

test("an executor whose API server hangs still ends within ten seconds", async () => {
  const flow = await openShop({ readyMs: 60_000 });
  flow.whenMerged(file(100));
  await flow.until("a batch rolls", () => countRolling(flow) === 2);
  const fix = flow.model("one").faults.delayAnswers(3_600_000);
  await flow.pass(30_000);
  expect(await flow.stopExecutor("one")).toBeLessThan(10_000);
  fix();
  flow.startExecutor();
  await flow.untilRunsEnd(1);
  expect(listMovedPaths(flow)).toHaveLength(6);
  await flow.end();
});

describe("a planner that is asked to end", () => {
  const moments = [
    { name: "in the middle of a batch", hang: false },
    { name: "while git hangs", hang: true },
  ];

  test.each(moments)("$name ends in time, and the next one writes nothing twice", async ({ hang }) => {
    const flow = await openShop({ readyMs: 20_000 });
    flow.whenMerged(file(100));
    await flow.until("a batch rolls", () => countRolling(flow) === 2);
    const speak = hang ? flow.server.hang("planner") : () => undefined;
    await flow.pass(15_000);
    const ms = await flow.stopPlanner();
    speak();
    flow.startPlanner();
    const [run] = await flow.untilRunsEnd(1);
    expect(ms).toBeLessThan(10_000);
    expect([run?.outcome?.migrated, listMovedPaths(flow).length, new Set(listMovedPaths(flow)).size]).toEqual([
      6, 6, 6,
    ]);
    expect(flow.errors).toEqual([]);
    await flow.end();
  });
});
