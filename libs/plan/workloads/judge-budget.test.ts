import { makeNamespace, makeWorkload } from "#fakes/fleet";
import { makeRun, makeSpec, sha } from "#test/world/build";
import { makeCampaign, withCampaign } from "#test/world/campaigns/campaign";
import { expect, test } from "vitest";

import { judgeBudget } from "./judge-budget.ts";

const key = "meshroll.dev/ignore-budget";
const head = withCampaign(
  makeSpec(sha("1"), 0),
  makeCampaign({ ignoreBudgets: [{ pattern: "shop", matches: (name) => name === "shop", reason: "agreed" }] }),
);
const run = makeRun(sha("1"), sha("0"), { campaign: "up", stage: "all" });

interface Case {
  readonly name: string;
  readonly workload: Parameters<typeof makeWorkload>[0];
  readonly namespace?: Parameters<typeof makeNamespace>[0];
  readonly isCampaigns?: true;
  readonly want: string;
}

const cases: readonly Case[] = [
  {
    name: "its rollout takes no pod down, the budget allows none",
    workload: { disruptionsAllowed: 0, rolloutUnavailable: 0 },
    want: "fits",
  },
  { name: "it has no pods", workload: { replicas: 0, disruptionsAllowed: 0, rolloutUnavailable: 1 }, want: "fits" },
  {
    name: "the budget allows none",
    workload: { disruptionsAllowed: 0, rolloutUnavailable: 1 },
    want: "BudgetAllowsNothing 1",
  },
  {
    name: "the budget allows fewer than its rollout takes down",
    workload: { disruptionsAllowed: 1, rolloutUnavailable: 3 },
    want: "BudgetAllowsLess 3",
  },
  {
    name: "its owner ignores the budget",
    workload: { disruptionsAllowed: 0, annotations: { [key]: "a cache" } },
    want: "ignored: a cache",
  },
  {
    name: "its namespace's owner ignores the budget",
    workload: { disruptionsAllowed: 0 },
    namespace: { annotations: { [key]: "caches" } },
    want: "ignored: caches",
  },
  {
    name: "its owner does not ignore the budget, though namespace and campaign do",
    workload: { disruptionsAllowed: 0, annotations: { [key]: "false" } },
    namespace: { annotations: { [key]: "caches" } },
    isCampaigns: true,
    want: "BudgetAllowsNothing ?",
  },
  {
    name: "the campaign ignores the budget",
    workload: { disruptionsAllowed: 0 },
    isCampaigns: true,
    want: "ignored: agreed",
  },
];

test.each(cases)("$name: $want", ({ workload, namespace, isCampaigns, want }) => {
  const answer = judgeBudget({
    workload: makeWorkload(workload),
    namespace: makeNamespace(namespace),
    head,
    run: isCampaigns === true ? run : undefined,
  });
  const told = () => {
    if (answer.kind === "ignored") return `ignored: ${answer.why}`;
    if (answer.kind === "fits") return "fits";
    return `${answer.reason.code} ${"takes" in answer.reason ? (answer.reason.takes ?? "?") : "?"}`;
  };
  expect(told()).toBe(want);
});
