import { expect, test } from "vitest";

import { countRolling, file, openShop, refOf, type ShopOptions, listMovedPaths } from "../shop.ts";
import { killAtEachWrite } from "./kills.ts";
import { never, playWithRestarts } from "./restart-until.ts";

const stuck: ShopOptions = {
  prepare: (model) => void model.breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" }),
};
const onward = "failurePolicy: ContinueOnError";

test("4.6 an executor that is killed every 50 s reports ReadinessTimeout after the configured minute", async () => {
  const batch = `batchSize: 2, readinessTimeout: 1m, ${onward}`;
  const undisturbed = await playWithRestarts("executor", never, batch, stuck);
  const restarted = await playWithRestarts("executor", 50_000, batch, stuck);

  expect(restarted.outcome.writes).toEqual(undisturbed.outcome.writes);
  expect(restarted.outcome.state).toBe(undisturbed.outcome.state);
  expect(restarted.took).toBeLessThanOrEqual(undisturbed.took + 60_000);
});

test("4.2 an executor that is killed every 8 s keeps a delay of 10 s, and not a longer one", async () => {
  const batch = "batchSize: 2";
  const undisturbed = await playWithRestarts("executor", never, batch, { readyMs: 1000 });
  const restarted = await playWithRestarts("executor", 8_000, batch, { readyMs: 1000 });

  expect(restarted.outcome).toEqual(undisturbed.outcome);
  expect(restarted.took).toBeLessThanOrEqual(2 * undisturbed.took);
});

test("4.2 a delay that began before the kill is neither started again nor cut short", async () => {
  const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 60s }\n";
  const flow = await openShop({ settings, readyMs: 1000 });
  flow.whenMerged(file(100));
  await flow.until("the first batch is through", () => listMovedPaths(flow).length === 2 && countRolling(flow) === 0);
  const settledAt = flow.clock.now();
  await flow.pass(30_000);

  await flow.killExecutor();
  flow.startExecutor();
  await flow.until("the second batch begins", () => listMovedPaths(flow).length > 2);

  const waited = flow.clock.now() - settledAt;
  expect(waited).toBeGreaterThanOrEqual(57_000);
  expect(waited).toBeLessThanOrEqual(75_000);
  await flow.end();
});

test("a killed executor's begun rollback goes on with its batch while the first workload still rolls", async () => {
  const flow = await openShop({ readyMs: 60_000 });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const restart = killAtEachWrite("executor")(flow);
  flow.whenMerged(file(0));
  let secondsSinceFirst = 0;
  while (listMovedPaths(flow).length < 8 && secondsSinceFirst < 60) {
    await flow.pass(1000);
    await restart();
    if (listMovedPaths(flow).length > 6) secondsSinceFirst += 1;
  }
  // A lock of 5 s, and the stalled check; after 15 s without progress the first one would give up its place in any case.
  expect(secondsSinceFirst).toBeLessThan(12);
  await flow.end();
});
