import { expect, test } from "vitest";

import { judgeLedgerRules } from "./ledger-rules.ts";

const all = ["update", "deletion", "non_fast_forward"];
const cases = [
  {
    name: "all three leave it to accounts that may bypass them",
    rules: { ledgerRules: all },
    want: { kind: "protected" },
  },
  {
    name: "what cannot be read does not matter where the rest is enough",
    rules: { ledgerRules: all, ledgerUnread: true as const },
    want: { kind: "protected" },
  },
  {
    name: "one is missing",
    rules: { ledgerRules: all.slice(1) },
    want: { kind: "open", allows: ["pushes of others than meshroll"] },
  },
  {
    name: "one is missing, and there may be more than can be read",
    rules: { ledgerRules: all.slice(0, 2), ledgerUnread: true as const },
    want: { kind: "unread", allows: ["forced pushes"] },
  },
  { name: "a server without such rules", rules: {}, want: { kind: "untold" } },
];

test.each(cases)("rules of the ledger's branch: $name", ({ rules, want }) => {
  expect(judgeLedgerRules(rules)).toEqual(want);
});
