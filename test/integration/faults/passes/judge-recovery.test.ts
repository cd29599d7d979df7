import { describe, expect, it } from "vitest";

import type { Pass } from "./fault.ts";
import { findLongestPause, judgeRecovery } from "./judge-recovery.ts";

const makePass = (change: Partial<Pass>): Pass => {
  return { fault: "kill-planner", seed: 1, phase: "write 1", tookMs: 9000, figures: {}, ...change };
};

describe("recovery is judged by the pauses of an undisturbed run", () => {
  const cases = [
    { name: "as long as a pause passes", recoveryMs: 2000, pauseMs: 2000, want: "none" },
    { name: "five times as long passes", recoveryMs: 10_000, pauseMs: 2000, want: "none" },
    { name: "longer than that fails", recoveryMs: 10_100, pauseMs: 2000, want: "5.0 times the longest pause" },
    { name: "a fault may have its own limit", recoveryMs: 10_100, pauseMs: 2000, times: 6, want: "none" },
    { name: "where nothing has to go on nothing is judged", pauseMs: 2000, want: "none" },
    { name: "without an undisturbed run it fails", recoveryMs: 1, want: "no undisturbed run" },
    { name: "another problem stays", recoveryMs: 9000, pauseMs: 1, problem: "lost", want: "lost" },
  ];
  it.each(cases)("$name", ({ recoveryMs, pauseMs, times, problem, want }) => {
    const own = { ...(recoveryMs === undefined ? {} : { recoveryMs }), ...(problem === undefined ? {} : { problem }) };
    const judged = judgeRecovery(makePass(own), times, pauseMs);
    expect(judged.problem ?? "none").toContain(want);
  });

  it("the longest pause is of the passes that ran to their end", () => {
    const passes = [
      makePass({ pauseMs: 1000 }),
      makePass({ pauseMs: 4000 }),
      makePass({ pauseMs: 9000, problem: "x" }),
    ];
    expect(findLongestPause(passes)).toBe(4000);
    expect(findLongestPause([makePass({ pauseMs: 1000 })])).toBe(3000);
    expect(findLongestPause([])).toBeUndefined();
  });
});
