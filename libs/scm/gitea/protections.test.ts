import { describe, expect, it } from "vitest";

import { listMissingRules } from "./protections.ts";

const main = { rule_name: "main", enable_status_check: true };

const cases: readonly {
  readonly name: string;
  readonly rules: Parameters<typeof listMissingRules>[0];
  readonly want: readonly string[];
}[] = [
  { name: "is missing for a token that may not read the rules", rules: undefined, want: ["staleDismissed"] },
  { name: "is missing without a rule", rules: [], want: ["staleDismissed"] },
  { name: "is missing where the branch's rule does not have it", rules: [main], want: ["staleDismissed"] },
  {
    name: "is missing in a rule of another branch",
    rules: [{ ...main, rule_name: "x", dismiss_stale_approvals: true }],
    want: ["staleDismissed"],
  },
  {
    name: "is there where stale approvals are dismissed",
    rules: [{ ...main, dismiss_stale_approvals: true }],
    want: [],
  },
  { name: "is there where they are ignored", rules: [{ ...main, ignore_stale_approvals: true }], want: [] },
];

describe("what Gitea can demand of approvals", () => {
  it.each(cases)("$name", ({ rules, want }) => expect(listMissingRules(rules, "main")).toEqual(want));
});
