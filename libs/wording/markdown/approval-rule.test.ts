import { expect, it } from "vitest";

import { printRule } from "./approval-rule.ts";

const rule = (required: number, from: readonly string[] = [], allowAuthor = false) => ({ required, from, allowAuthor });

it.each([
  [rule(1), "1 approval (not the author's)"],
  [rule(2, ["team:mesh", "user:ana"]), "2 approvals from team:mesh or user:ana (not the author's)"],
  [rule(2, [], true), "2 approvals"],
  [rule(0), "0 approvals"],
])("the rule %j reads %s", (each, want) => expect(printRule(each)).toBe(want));
