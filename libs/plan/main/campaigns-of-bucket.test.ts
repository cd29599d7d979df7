import type { RunRecord, Spec } from "#libs/plan";
import { makeRun, makeSpec, sha } from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaigns/campaign";
import { expect, test } from "vitest";

import { listOtherCampaigns } from "./campaigns-of-bucket.ts";

const [merged, newest] = [sha("merged"), sha("newest")];
const campaignOf = (name: string, pattern: string) =>
  makeCampaign({ name, stages: [{ ...makeStage("all", 100), set: { [pattern]: 100 } }] });
const [pay, shop] = [campaignOf("pay", "pay-.*"), campaignOf("shop", "production")];

function specOf(commit: string, campaigns: readonly ReturnType<typeof campaignOf>[]): Spec {
  return { ...makeSpec(commit, 100), campaigns: new Map(campaigns.map((each) => [each.name, each])) };
}

const forward = { from: "a", to: "b", direction: "forward" } as const;
const back = { ...forward, direction: "rollback" } as const;
const ofBoth = [
  { pattern: "pay-.*", ...forward },
  { pattern: "production", ...forward },
];

interface Case {
  readonly name: string;
  readonly run?: Partial<RunRecord>;
  readonly at?: Spec;
  readonly now?: Spec;
  readonly want: readonly string[];
}

const cases: readonly Case[] = [
  { name: "another one that sets one of its buckets has a say", want: ["shop"] },
  { name: "one that was finished since has none", now: specOf(newest, [pay]), want: [] },
  { name: "the other one keeps its say when the run's own is finished", now: specOf(newest, [shop]), want: ["shop"] },
  {
    name: "one that took the bucket under another name has it",
    now: specOf(newest, [pay, campaignOf("s2", "production")]),
    want: ["s2"],
  },
  {
    name: "one whose bucket main changed since has none",
    now: { ...specOf(newest, [pay, shop]), rollouts: makeSpec(newest, 80).rollouts },
    want: [],
  },
  { name: "one that came later has none", at: specOf(merged, [pay]), want: [] },
  {
    name: "no campaign holds a bucket that is rolled back",
    run: {
      changes: [
        { pattern: "pay-.*", ...back },
        { pattern: "production", ...back },
      ],
    },
    want: [],
  },
  {
    name: "where a bucket goes for good, what is rolled back may go forward for some",
    run: {
      changes: [
        { pattern: "pay-.*", ...back, to: "" },
        { pattern: "production", ...back },
      ],
    },
    want: ["shop"],
  },
];

test.each(cases)("1.5 in the run of one campaign $name", ({ run, at = specOf(merged, [pay, shop]), now, want }) => {
  const own = makeRun(merged, sha("base"), { campaign: "pay", changes: ofBoth, ...run });
  const head = now ?? specOf(newest, [pay, shop]);
  expect(listOtherCampaigns(own, head, new Map([[merged, at]]))).toEqual(want);
});

test("1.5 nothing is said of a run whose commit was not read", () => {
  const own = makeRun(merged, sha("base"), { campaign: "pay", changes: ofBoth });
  expect(listOtherCampaigns(own, specOf(newest, [pay, shop]), new Map())).toEqual([]);
});
