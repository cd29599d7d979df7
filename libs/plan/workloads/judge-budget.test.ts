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
  { name: "takes none, allows none", workload: { disruptionsAllowed: 0, rolloutUnavailable: 0 }, want: "fits" },
  { name: "no pods", workload: { replicas: 0, disruptionsAllowed: 0, rolloutUnavailable: 1 }, want: "fits" },
  { name: "allows none", workload: { disruptionsAllowed: 0, rolloutUnavailable: 1 }, want: "BudgetAllowsNothing 1" },
  { name: "allows less", workload: { disruptionsAllowed: 1, rolloutUnavailable: 3 }, want: "BudgetAllowsLess 3" },
  {
    name: "its owner says why",
    workload: { disruptionsAllowed: 0, annotations: { [key]: "a cache" } },
    want: "ignored: a cache",
  },
  {
    name: "its namespace's owner says why",
    workload: { disruptionsAllowed: 0 },
    namespace: { annotations: { [key]: "caches" } },
    want: "ignored: caches",
  },
  {
    name: "its owner says no where the namespace and the campaign say yes",
    workload: { disruptionsAllowed: 0, annotations: { [key]: "false" } },
    namespace: { annotations: { [key]: "caches" } },
    isCampaigns: true,
    want: "BudgetAllowsNothing ?",
  },
  { name: "the campaign", workload: { disruptionsAllowed: 0 }, isCampaigns: true, want: "ignored: agreed" },
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
