import { expect, test } from "vitest";

import { countRolling, file, openShop, refOf, type ShopOptions, listMovedPaths } from "../shop.ts";
import { never, playWithRestarts } from "./restart-until.ts";

test("4.2 a planner that restarts continues the delay, which gets neither longer nor shorter", async () => {
  const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 60s }\n";
  const flow = await openShop({ settings, readyMs: 1000 });
  flow.whenMerged(file(100));
  await flow.until("the first batch is through", () => listMovedPaths(flow).length === 2 && countRolling(flow) === 0);
  const settledAt = flow.clock.now();
  await flow.pass(40_000);

  await flow.killPlanner();
  flow.startPlanner();
  await flow.until("the second batch begins", () => listMovedPaths(flow).length > 2);

  const waited = flow.clock.now() - settledAt;
  expect(waited).toBeGreaterThanOrEqual(57_000);
  expect(waited).toBeLessThanOrEqual(75_000);
  await flow.end();
});

test("4.2 a planner that is killed every 8 s hands out with the delay of 10 s, and not a longer one", async () => {
  const undisturbed = await playWithRestarts("planner", never, "batchSize: 2", { readyMs: 1000 });
  const restarted = await playWithRestarts("planner", 8_000, "batchSize: 2", { readyMs: 1000 });

  expect(restarted.outcome).toEqual(undisturbed.outcome);
  expect(restarted.took).toBeLessThanOrEqual(2 * undisturbed.took);
});

test("3.1 a planner that is killed every 50 s skips, after a minute, a workload that waits for its owner", async () => {
  const options: ShopOptions = { prepare: (model) => model.ownerApply(refOf("b"), { paused: true }) };
  const batch = "batchSize: 6, readinessTimeout: 1m";
  const undisturbed = await playWithRestarts("planner", never, batch, options);
  const restarted = await playWithRestarts("planner", 50_000, batch, options);

  expect(restarted.outcome).toEqual(undisturbed.outcome);
  expect(restarted.took).toBeLessThanOrEqual(undisturbed.took + 50_000);
});
