import { compileSpec } from "#libs/plan";
import { makeCluster, makeWorkload } from "#test/world/build";
import { expect, test } from "vitest";

import { judgePatterns } from "./check-patterns.ts";

const rollouts = "production: {old: 100}\nshop.*: {old: 100}\npay.*: {old: 100}\n";
const campaign = (more: string) =>
  "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: {name: up}\n" +
  `spec:\n  target: new\n  replaces: [old]\n${more}  stages: [{name: all, set: {production: 100}}]\n`;

function judge(more: string, fresh = true) {
  const compiled = compileSpec("a".repeat(40), rollouts, undefined, { "campaigns/up.yml": campaign(more) });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const cluster = { ...makeCluster("one", [makeWorkload("shop/a")]), fresh };
  return judgePatterns(compiled.spec, [cluster]).map(({ state, message }) => `${state} ${message}`);
}

const payments = "warned rollouts.yml:3:1 bucket `pay.*` matches no namespace of the fleet";

test.each([
  { name: "a bucket without a namespace is reported with its line", more: "", want: [payments] },
  {
    name: "an exclusion without a namespace is reported with its line",
    more: "  exclude:\n    - { pattern: shop-x, reason: audit }\n    - { pattern: shop, reason: audit }\n",
    want: [payments, "warned campaigns/up.yml:8:18 exclude `shop-x` matches no namespace of the fleet"],
  },
  {
    name: "an entry of ignoreBudgets without a namespace is reported with its line",
    more: "  ignoreBudgets: [{ pattern: shop-x, reason: audit }]\n",
    want: [payments, "warned campaigns/up.yml:7:30 ignoreBudgets `shop-x` matches no namespace of the fleet"],
  },
  {
    name: "nothing is reported while a cluster is not seen",
    more: "",
    fresh: false,
    want: ["notChecked which patterns match nothing is not known: one is not seen now"],
  },
])("$name", ({ more, fresh, want }) => {
  expect(judge(more, fresh)).toEqual(want);
});

test("every pattern matches", () => {
  const compiled = compileSpec("a".repeat(40), "production: {old: 100}\nshop: {old: 100}\n", undefined, {});
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const found = judgePatterns(compiled.spec, [makeCluster("one", [makeWorkload("shop/a")])]);
  expect(found).toMatchObject([{ state: "ok", message: "every pattern of main matches a namespace" }]);
});
