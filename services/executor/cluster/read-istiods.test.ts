import { createVirtualClock } from "#fakes/runtime";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { createChangeSignal } from "#libs/runtime";
import { readIstiodsRepeatedly } from "./read-istiods.ts";

/** An executor's loop over one cluster, and how long its istiods take to answer, ms. */
function openBench(read: (clock: ReturnType<typeof createVirtualClock>) => Promise<void> = async () => undefined) {
  const clock = createVirtualClock();
  const start = clock.monotonic();
  const changes = createChangeSignal(clock);
  const reconciles: number[] = [];
  const lines: string[] = [];
  const stop = new AbortController();
  const cluster = {
    readIstiods: async () => {
      reconciles.push(clock.monotonic() - start);
      await read(clock);
    },
  };
  const log = createLogger("test", [], "error", (line) => lines.push(line));
  const waitForChange = async (ms: number, signal: AbortSignal) => changes.wait(ms, signal);
  const done = readIstiodsRepeatedly({ cluster, clock, log, waitForChange }, stop.signal);
  return { clock, changes, reconciles, lines, stop, done };
}

test("9.1 a quiet cluster's istiods are queried every 20 s, one that changes at most every 2 s", async () => {
  const { clock, changes, reconciles } = openBench();
  await clock.advance(30_000);
  expect(reconciles).toEqual([0, 20_000]);
  for (let moment = 0; moment < 10; moment += 1) {
    await clock.advance(1_000);
    changes.raise();
  }
  await clock.settle();
  const gaps = reconciles.slice(1).map((at, index) => at - (reconciles[index] ?? 0));
  expect(gaps).toEqual([20_000, 11_000, 2_000, 2_000, 2_000, 2_000]);
});

test("a change during the pause causes a read as soon as the pause is over", async () => {
  const { clock, changes, reconciles } = openBench();
  await clock.advance(500);
  changes.raise();
  await clock.advance(5_000);
  expect(reconciles).toEqual([0, 2_000]);
});

test("reads take at most a twentieth of the time", async () => {
  const { clock, changes, reconciles } = openBench(async (time) => time.sleepReal(1_000));
  for (let moment = 0; moment < 44; moment += 1) {
    await clock.advance(500);
    changes.raise();
  }
  expect(reconciles).toEqual([0, 21_000]);
});

test.each([
  { took: 10_000, next: 40_000 },
  { took: 45_000, next: 90_000 },
])("one that took $took ms is asked again $next ms after it began, however long that is", async ({ took, next }) => {
  const { clock, changes, reconciles } = openBench(async (time) => time.sleepReal(took));
  for (let moment = 0; moment < 100; moment += 1) {
    await clock.advance(1000);
    changes.raise();
  }
  expect(reconciles.slice(0, 2)).toEqual([0, next]);
});

test("a fault is logged, and the next read follows", async () => {
  const { clock, reconciles, lines, stop, done } = openBench(async () => {
    throw new Error("a bug");
  });
  await clock.advance(23_000);
  expect([reconciles.length, lines.length]).toEqual([2, 2]);
  stop.abort();
  await done;
});
