import { expect, test } from "vitest";

import { explainRefusedMerge, type MergeDemand } from "./demands.ts";

const cases: readonly {
  readonly name: string;
  readonly demands: readonly MergeDemand[];
  readonly want: string;
}[] = [
  { name: "without a known demand GitHub's own words", demands: [], want: "Not allowed." },
  {
    name: "one demand, with what gives it",
    demands: [{ code: "ReviewsMissing", required: 1, given: 0 }],
    want:
      "GitHub counts 0 of 1 required approval " +
      "(let meshroll's account bypass that rule for pull requests, or set the required approvals to 0)",
  },
  {
    name: "a check of the wrong app by the app's id",
    demands: [{ code: "CheckNotGreen", name: "meshroll/plan", state: "otherSource", source: 7100 }],
    want:
      "the required check meshroll/plan of the app 7100 was posted by another app " +
      "(choose the app that posts it as its expected source)",
  },
  {
    name: "several, in their order",
    demands: [
      { code: "ThreadsOpen", open: 2 },
      { code: "CommitsUnsigned", unsigned: 1 },
    ],
    want:
      "2 conversations on it are not resolved (resolve them on the pull request); " +
      "1 commit of it has no verified signature (let a GitHub App make them, or git sign them (docs/how-to/protect-the-ledger.md))",
  },
];

test.each(cases)("a refused merge is told by $name", ({ demands, want }) => {
  expect(explainRefusedMerge({ why: "Not allowed.", demands })).toBe(want);
});
