import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countRolling, file, openShop, refOf, type ShopOptions, settingsOf, written } from "../shop.ts";

/** Kills the planner and starts another one every `everyMs`, until the condition holds. */
async function restartUntil(flow: FleetFlow, everyMs: number, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const limit = flow.clock.now() + 3_600_000;
  for (;;) {
    for (let passed = 0; passed < everyMs; passed += 1000) {
      if (await isTrue()) return;
      await flow.pass(1000);
    }
    if (flow.clock.now() > limit) throw new Error(`never: ${JSON.stringify(await flow.status(), undefined, 1)}`);
    await flow.killPlanner();
    flow.startPlanner();
  }
}

/** Plays a run with a planner that is killed every `everyMs`; returns what it leaves behind and how long it took. */
async function play(everyMs: number, batch: string, options: ShopOptions) {
  const flow = await openShop({ settings: settingsOf(batch), ...options });
  const began = flow.clock.now();
  flow.whenMerged(file(100));
  await restartUntil(flow, everyMs, async () => (await flow.runs()).some(({ state }) => state !== "open"));
  const took = flow.clock.now() - began;
  const [run] = await flow.runs();
  const outcome = { state: run?.state, outcome: run?.outcome, writes: written(flow).toSorted() };
  await flow.end();
  return { took, outcome };
}

const never = 3_600_000;

test("4.2 a planner that restarts continues the delay: not longer, and never shorter", async () => {
  const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 60s }\n";
  const flow = await openShop({ settings, readyMs: 1000 });
  flow.whenMerged(file(100));
  await flow.until("the first batch is through", () => written(flow).length === 2 && countRolling(flow) === 0);
  const settledAt = flow.clock.now();
  await flow.pass(40_000);

  await flow.killPlanner();
  flow.startPlanner();
  await flow.until("the second batch begins", () => written(flow).length > 2);

  const waited = flow.clock.now() - settledAt;
  expect(waited).toBeGreaterThanOrEqual(57_000);
  expect(waited).toBeLessThanOrEqual(75_000);
  await flow.end();
});

test("4.2 a planner that is killed every 8 s hands out with the delay of 10 s, and not a longer one", async () => {
  const undisturbed = await play(never, "batchSize: 2", { readyMs: 1000 });
  const restarted = await play(8_000, "batchSize: 2", { readyMs: 1000 });

  expect(restarted.outcome).toEqual(undisturbed.outcome);
  expect(restarted.took).toBeLessThanOrEqual(2 * undisturbed.took);
});

test("3.1 a planner that is killed every 50 s skips, after a minute, a workload that waits for its owner", async () => {
  const options: ShopOptions = { prepare: (model) => model.ownerApply(refOf("b"), { paused: true }) };
  const batch = "batchSize: 6, readinessTimeout: 1m";
  const undisturbed = await play(never, batch, options);
  const restarted = await play(50_000, batch, options);

  expect(restarted.outcome).toEqual(undisturbed.outcome);
  expect(restarted.took).toBeLessThanOrEqual(undisturbed.took + 50_000);
});
