import { describe, expect, test } from "vitest";

import { judgePace } from "./batch-pace.ts";

const minute = 60_000;

/** `a` is to move at minute 100; the others were last seen to roll so many minutes ago. */
function judge(ages: Readonly<Record<string, number>>, batchSize: number, delayMinutes: number): number | "now" {
  const elapsed = 100 * minute;
  const rolledAt = new Map(Object.entries(ages).map(([key, age]) => [key, elapsed - age * minute]));
  const delayBetweenBatches = delayMinutes * minute;
  const verdict = judgePace({ rolledAt, elapsed }, { batchSize, delayBetweenBatches }, "a");
  return verdict === undefined ? "now" : (verdict.untilElapsed - elapsed) / minute;
}

describe("at most batchSize workloads roll within one delay, no matter which planner hands out jobs", () => {
  const cases = [
    { name: "nothing rolled yet", ages: {}, size: 2, delay: 10, want: "now" },
    { name: "the batch has room still", ages: { b: 0 }, size: 2, delay: 10, want: "now" },
    { name: "the batch is full and rolls", ages: { b: 0, c: 0 }, size: 2, delay: 10, want: 10 },
    { name: "the batch settled a while ago", ages: { b: 4, c: 3 }, size: 2, delay: 10, want: 6 },
    { name: "the delay is over", ages: { b: 10, c: 11 }, size: 2, delay: 10, want: "now" },
    { name: "there is no delay", ages: { b: 1, c: 1, d: 1 }, size: 1, delay: 0, want: "now" },
    { name: "its own write counts for nothing", ages: { a: 0, b: 1 }, size: 2, delay: 10, want: "now" },
    { name: "more than a batch rolled", ages: { b: 1, c: 2, d: 3 }, size: 2, delay: 10, want: 8 },
    {
      name: "a process that started has seen all just now",
      ages: { b: 0, c: 0, d: 0 },
      size: 1,
      delay: 360,
      want: 360,
    },
  ] as const;
  test.each(cases)("$name", ({ ages, size, delay, want }) => {
    expect(judge(ages, size, delay)).toBe(want);
  });
});
