import { describe, expect, test } from "vitest";

import { chooseStallTimeout } from "./stall-timeout.ts";

const [second, minute] = [1000, 60_000];

describe("4.7 how long a place is kept without progress", () => {
  const cases = [
    { name: "a twentieth of readinessTimeout", timeout: 5 * minute, steps: [], want: 15 * second },
    { name: "never less than ten seconds", timeout: minute, steps: [], want: 10 * second },
    { name: "also of a time that is shorter", timeout: 5 * second, steps: [], want: 10 * second },
    { name: "twice what others took", timeout: 5 * minute, steps: [40 * second], want: 80 * second },
    { name: "what others took quickly takes nothing away", timeout: 5 * minute, steps: [second], want: 15 * second },
    { name: "half of readinessTimeout at most", timeout: 5 * minute, steps: [4 * minute], want: 150 * second },
    {
      name: "one slow one of ten is none that others go by",
      timeout: 5 * minute,
      steps: [...Array.from({ length: 9 }, () => 20 * second), 4 * minute],
      want: 40 * second,
    },
    { name: "what is longer than the timeout was no step", timeout: 5 * minute, steps: [hours(9)], want: 15 * second },
  ];
  test.each(cases)("$name", ({ timeout, steps, want }) => {
    expect(chooseStallTimeout(timeout, steps)).toBe(want);
  });
});

function hours(count: number): number {
  return count * 60 * minute;
}
