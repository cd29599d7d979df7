import { describe, expect, test } from "vitest";

import { chooseStallTimeout } from "./stall-timeout.ts";

const [second, minute] = [1000, 60_000];

describe("4.7 how long a workload may make no progress and keep its place", () => {
  const cases = [
    { name: "a twentieth of readinessTimeout without other steps", timeout: 5 * minute, steps: [], want: 15 * second },
    { name: "at least ten seconds", timeout: minute, steps: [], want: 10 * second },
    {
      name: "at least ten seconds, even if readinessTimeout is shorter",
      timeout: 5 * second,
      steps: [],
      want: 10 * second,
    },
    { name: "twice the time of another step", timeout: 5 * minute, steps: [40 * second], want: 80 * second },
    { name: "not less than a twentieth after a short step", timeout: 5 * minute, steps: [second], want: 15 * second },
    { name: "at most half of readinessTimeout", timeout: 5 * minute, steps: [4 * minute], want: 150 * second },
    {
      name: "one slow step of ten does not count",
      timeout: 5 * minute,
      steps: [...Array.from({ length: 9 }, () => 20 * second), 4 * minute],
      want: 40 * second,
    },
    {
      name: "a step longer than readinessTimeout does not count",
      timeout: 5 * minute,
      steps: [hours(9)],
      want: 15 * second,
    },
  ];
  test.each(cases)("$name", ({ timeout, steps, want }) => {
    expect(chooseStallTimeout(timeout, steps)).toBe(want);
  });
});

function hours(count: number): number {
  return count * 60 * minute;
}
