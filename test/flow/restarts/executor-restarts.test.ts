import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countRolling, file, openShop, refOf, settingsOf, written } from "../shop.ts";

/** Kills the executor and starts another one every `everyMs`, until the condition holds. */
async function restartUntil(flow: FleetFlow, everyMs: number, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const limit = flow.clock.now() + 3_600_000;
  for (;;) {
    for (let passed = 0; passed < everyMs; passed += 1000) {
      if (await isTrue()) return;
      await flow.pass(1000);
    }
    if (flow.clock.now() > limit) throw new Error(`never: ${JSON.stringify(await flow.status(), undefined, 1)}`);
    await flow.killExecutor();
    flow.startExecutor();
  }
}

async function isOver(flow: FleetFlow): Promise<boolean> {
  return (await flow.runs()).some(({ state }) => state !== "open");
}

/** Plays a run to its end; returns the ledger's record of it, the writes by path, and how long it took. */
async function play(everyMs: number, batch: string, prepare: Parameters<typeof openShop>[0] = {}) {
  const flow = await openShop({ settings: settingsOf(batch), ...prepare });
  const began = flow.clock.now();
  flow.whenMerged(file(100));
  await restartUntil(flow, everyMs, async () => isOver(flow));
  const took = flow.clock.now() - began;
  const [run] = await flow.runs();
  const outcome = { state: run?.state, outcome: run?.outcome, writes: written(flow).toSorted() };
  await flow.end();
  return { took, outcome };
}

const never = 3_600_000;
const stuck = {
  prepare: (model: Parameters<Exclude<Parameters<typeof openShop>[0], undefined>["prepare"] & object>[0]) =>
    void model.breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" }),
};
const onward = "failurePolicy: ContinueOnError";

test("4.6 an executor that is killed every 50 s reports ReadinessTimeout after the configured minute", async () => {
  const batch = `batchSize: 2, readinessTimeout: 1m, ${onward}`;
  const undisturbed = await play(never, batch, stuck);
  const restarted = await play(50_000, batch, stuck);

  expect(restarted.outcome.writes).toEqual(undisturbed.outcome.writes);
  expect(restarted.outcome.state).toBe(undisturbed.outcome.state);
  expect(restarted.took).toBeLessThanOrEqual(undisturbed.took + 60_000);
});

test("4.2 an executor that is killed every 8 s keeps a delay of 10 s, and not a longer one", async () => {
  const batch = "batchSize: 2";
  const undisturbed = await play(never, batch, { readyMs: 1000 });
  const restarted = await play(8_000, batch, { readyMs: 1000 });

  expect(restarted.outcome).toEqual(undisturbed.outcome);
  expect(restarted.took).toBeLessThanOrEqual(2 * undisturbed.took);
});

test("4.2 a delay that began before the kill is neither started again nor cut short", async () => {
  const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 60s }\n";
  const flow = await openShop({ settings, readyMs: 1000 });
  flow.whenMerged(file(100));
  await flow.until("the first batch is through", () => written(flow).length === 2 && countRolling(flow) === 0);
  const settledAt = flow.clock.now();
  await flow.pass(30_000);

  await flow.killExecutor();
  flow.startExecutor();
  await flow.until("the second batch begins", () => written(flow).length > 2);

  const waited = flow.clock.now() - settledAt;
  expect(waited).toBeGreaterThanOrEqual(57_000);
  expect(waited).toBeLessThanOrEqual(75_000);
  await flow.end();
});
