import { describe, expect, it } from "vitest";

import type { Pass } from "./fault.ts";
import { judgeFigures } from "./judge-figures.ts";

const makePass = (change: Partial<Pass>): Pass => {
  return { fault: "git-hung", seed: 1, phase: "write 1", tookMs: 9000, figures: {}, ...change };
};

describe("a measurement of a fault is judged by its limit", () => {
  const cases = [
    { name: "as long as the limit passes", figures: { pause: 5000, back: 9000 }, pauseMs: 3000, want: "none" },
    { name: "longer than that fails", figures: { pause: 5001 }, pauseMs: 3000, want: "pause took 5.0 s" },
    { name: "what has no limit is not judged", figures: { pause: 10, other: 90_000 }, pauseMs: 3000, want: "none" },
    { name: "a machine half as fast gets twice the time", figures: { pause: 10_000 }, pauseMs: 6000, want: "none" },
    { name: "and no more than that", figures: { pause: 10_001 }, pauseMs: 6000, want: "at most 10.0 s is allowed" },
    { name: "a faster machine gets no less", figures: { pause: 5000 }, pauseMs: 1000, want: "none" },
    { name: "what was not measured fails", figures: {}, pauseMs: 3000, want: "pause was never measured" },
    { name: "without an undisturbed run it fails", figures: { pause: 10 }, want: "no undisturbed run" },
    { name: "another problem stays", figures: { pause: 9000 }, pauseMs: 3000, problem: "lost", want: "lost" },
  ];
  it.each(cases)("$name", ({ figures, pauseMs, problem, want }) => {
    const pass = makePass({ figures, ...(problem === undefined ? {} : { problem }) });
    expect(judgeFigures(pass, { pause: 5000 }, pauseMs).problem ?? "none").toContain(want);
  });

  it("a fault without limits needs no undisturbed run", () => {
    expect(judgeFigures(makePass({ figures: { pause: 90_000 } }), undefined, undefined).problem).toBeUndefined();
  });
});
