import { describe, expect, test } from "vitest";

import { judgePace } from "./pace.ts";

const minute = 60_000;

/** At minute 100, when so many minutes ago each was last seen to roll: "2 more", or in how many minutes one more may move. */
function judge(ages: readonly number[], batchSize: number, delayMinutes: number): number | string {
  const elapsed = 100 * minute;
  const rolledAt = new Map(ages.map((age, index) => [String(index), elapsed - age * minute]));
  const verdict = judgePace({ rolledAt, elapsed }, { batchSize, delayBetweenBatches: delayMinutes * minute });
  return "room" in verdict ? `${verdict.room} more` : (verdict.untilElapsed - elapsed) / minute;
}

describe("at most batchSize workloads roll within one delay, no matter which planner hands out jobs", () => {
  const cases = [
    { name: "nothing rolled yet", ages: [], size: 2, delay: 10, want: "2 more" },
    { name: "the batch has room still", ages: [0], size: 2, delay: 10, want: "1 more" },
    { name: "the batch is full and rolls", ages: [0, 0], size: 2, delay: 10, want: 10 },
    { name: "the batch settled a while ago", ages: [4, 3], size: 2, delay: 10, want: 6 },
    { name: "the delay is over", ages: [10, 11], size: 2, delay: 10, want: "2 more" },
    { name: "there is no delay", ages: [1, 1, 1], size: 1, delay: 0, want: "1 more" },
    { name: "more than a batch rolled", ages: [1, 2, 3], size: 2, delay: 10, want: 8 },
    { name: "a process that started has seen all just now", ages: [0, 0, 0], size: 1, delay: 360, want: 360 },
  ] as const;
  test.each(cases)("$name", ({ ages, size, delay, want }) => {
    expect(judge(ages, size, delay)).toBe(want);
  });
});
