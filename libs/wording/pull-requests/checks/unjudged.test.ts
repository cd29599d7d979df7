import { describe, expect, it } from "vitest";

import { printCheck } from "../pull-text.ts";
import { printLastCheck, renderUncounted, renderUnjudged } from "./unjudged.ts";

describe("the checks of a pull request that is not judged", () => {
  it("the plan is red, in one line of 140 characters, and its summary says why and what to do", () => {
    const why = `judging it took longer than 10 s${" and more".repeat(20)}`;
    const { state, title, summary } = printCheck(renderUnjudged({ code: "JudgeTimeLimit", why }));
    expect([state, title.length, title.slice(0, 48)]).toEqual([
      "failure",
      140,
      "cannot be judged: judging it took longer than 10",
    ]);
    expect(summary).toContain(`cannot be judged (\`JudgeTimeLimit\`): ${why}.\n\nEach pull request`);
  });

  it("approvals are not counted, and it is pending", () => {
    expect(printCheck(renderUncounted())).toMatchObject({
      state: "pending",
      title: "not counted: the pull request cannot be judged",
    });
  });

  it.each([
    { state: "success", want: "changed too often: push once more to have it judged again" },
    { state: "failure", want: "MR1004" },
  ] as const)("the last check of a head that was $state has the title $want", ({ state, want }) => {
    const last = printLastCheck({ state, title: "MR1004", summary: "all of it" });
    expect(last).toEqual({
      title: want,
      summary: "**This head is not judged again.** Push to the branch once more to have it judged again.\n\nall of it",
    });
  });
});
