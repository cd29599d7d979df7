import type { ModelClock } from "#fakes/kube";
import type { Clock } from "#libs/runtime";
import { describe, expect, it } from "vitest";

import { makeFastClock } from "../parts/fast-clock.ts";
import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeShop } from "../shop.ts";

const minute = 60_000;
const factor = 120;

/** A run with nothing left, whose bake of 48 h has just begun; from then on wall-clock time runs fast for the planner. */
async function openBaking(): Promise<{ readonly flow: FleetFlow; readonly fast: Clock }> {
  const settings = "defaults:\n  batch: { batchSize: 6, delayBetweenBatches: 10s }\n  bake: 48h\n";
  const people: { clock?: Clock } = {};
  // The API server's clock runs as fast, because it dates the writes.
  const clock = (each: FleetFlow): ModelClock => ({
    now: () => (people.clock ?? each.clock).now(),
    schedule: (ms, fn) => each.clock.schedule(ms, fn),
  });
  const flow = await makeShop({ settings, clock });
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.until("all arrived", () => countOn(flow, "new") === 6);
  await flow.until("its bake began", async () => (await flow.runs())[0]?.bake !== undefined);
  await flow.killPlanner();
  const fast = (people.clock = makeFastClock(flow.clock, factor));
  await flow.startPlanner(fast).pass(5000);
  return { flow, fast };
}

async function readHealthy(flow: FleetFlow): Promise<number> {
  const [run] = await flow.runs();
  return run?.bake?.healthyMs ?? 0;
}

describe("a bake under a planner that is restarted repeatedly", () => {
  it("makes progress even though the planner is killed every half hour, before the usual step of 57 minutes", async () => {
    const { flow, fast } = await openBaking();
    const before = await readHealthy(flow);
    for (let kills = 0; kills < 8; kills += 1) {
      await flow.pass((30 * minute) / factor);
      await flow.killPlanner();
      flow.startPlanner(fast);
    }
    // Up to three quarters of what a life saw may be lost, and the time until it has read everything.
    expect(await readHealthy(flow)).toBeGreaterThan(before + 8 * 5 * minute);
    await flow.end();
  });

  it("loses almost nothing at an orderly end, because the healthy time is saved before the process ends", async () => {
    const { flow, fast } = await openBaking();
    const before = await readHealthy(flow);
    for (let ends = 0; ends < 6; ends += 1) {
      await flow.pass((20 * minute) / factor);
      expect(await flow.stopPlanner()).toBeLessThan(5000);
      flow.startPlanner(fast);
    }
    // The reconciles are seconds of real time apart, which are minutes of this clock.
    expect(await readHealthy(flow)).toBeGreaterThan(before + 6 * 12 * minute);
    await flow.end();
  });

  it("writes nothing at an end without new progress, so that a crash loop does not fill the ledger", async () => {
    const { flow } = await openBaking();
    await flow.stopPlanner();
    const before = (await flow.ledger())?.sequence;
    for (let ends = 0; ends < 5; ends += 1) {
      await flow.startPlanner().pass(3000);
      await flow.stopPlanner();
    }
    expect((await flow.ledger())?.sequence).toBe(before);
    await flow.end();
  });

  it("ends in time while git hangs, because saving has a time limit", async () => {
    const { flow } = await openBaking();
    await flow.pass((20 * minute) / factor);
    const speak = flow.server.hang("planner");
    const took = await flow.stopPlanner();
    speak();
    expect(took).toBeLessThan(8000);
    await flow.end();
  });
});
