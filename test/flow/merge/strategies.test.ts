import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countRolling, file, listChanges, openShop, settingsOf, listMovedPaths } from "../shop.ts";

const window = (batchSize: number) => `defaults:\n  strategy: Window\n  batch: { batchSize: ${batchSize} }\n`;
const many = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/** Times of meshroll's writes, epoch ms. */
function moments(flow: FleetFlow): readonly number[] {
  return listChanges(flow.model("one"))
    .filter(({ status }) => status < 300)
    .map(({ at }) => at);
}

/** How many workloads rolled at each second until the run ended. */
async function sample(flow: FleetFlow): Promise<readonly number[]> {
  const counts: number[] = [];
  await flow.until("the run ends", async () => {
    counts.push(countRolling(flow, many));
    return (await flow.runs()).some(({ state }) => state === "done");
  });
  return counts;
}

test("4.2 Window keeps exactly batchSize rolling, and the next job follows without a gap", async () => {
  const flow = await openShop({ names: many, settings: window(3), readyMs: [10_000, 30_000] });
  flow.whenMerged(file(100));
  await flow.until("it is full", () => countRolling(flow, many) === 3);

  const counts = await sample(flow);

  expect(Math.max(...counts)).toBe(3);
  // Until the last three begin, all places are taken, except between an arrival and the next patch.
  const full = counts.slice(0, counts.lastIndexOf(3));
  expect(Math.min(...full)).toBeGreaterThanOrEqual(2);
  expect(full.filter((count) => count < 3).length).toBeLessThanOrEqual(9);
  expect(listMovedPaths(flow)).toHaveLength(12);
  await flow.end();
});

test("4.2 Window: the job in hand fills the places that become free, without asking the planner for another one", async () => {
  const flow = await openShop({ names: many, settings: window(3), readyMs: 5_000 });
  flow.whenMerged(file(100));
  await flow.until("it is full", () => countRolling(flow, many) === 3);
  await flow.killPlanner();

  // Two pods, one after the other, take 10 s; after 30 s without a planner nothing moves.
  await flow.pass(60_000);

  const moved = listMovedPaths(flow).length;
  expect([moved > 6, moved < 12]).toEqual([true, true]);
  await flow.end();
});

test("4.2 Batched settles each batch and waits for the delay before the next", async () => {
  const flow = await openShop({ names: many, settings: settingsOf("batchSize: 4"), readyMs: 20_000 });
  flow.whenMerged(file(100));

  const counts = await sample(flow);
  const starts = moments(flow).filter((at, index, all) => index === 0 || at - (all[index - 1] ?? 0) > 5000);

  expect(Math.max(...counts)).toBe(4);
  expect(starts).toHaveLength(3);
  // Two pods, one after the other, take 40 s; then come 10 s of delay.
  const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30_000);
  await flow.end();
});

test("4.2 writes that the watch has not shown yet are counted, so watches that lag by 20 s exceed no limit", async () => {
  const flow = await openShop({ names: many, settings: window(2), readyMs: 5000 });
  await flow.killExecutor();
  flow.startExecutor("act", 20_000);
  await flow.pass(30_000);
  flow.whenMerged(file(100));

  const counts = await sample(flow);

  expect(Math.max(...counts)).toBe(2);
  expect(listMovedPaths(flow)).toHaveLength(12);
  await flow.end();
});
