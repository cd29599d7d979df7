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
  { name: "another campaign that sets one of the run's buckets counts", want: ["shop"] },
  { name: "another campaign that is finished since does not count", now: specOf(newest, [pay]), want: [] },
  { name: "another campaign still counts when the run's own is finished", now: specOf(newest, [shop]), want: ["shop"] },
  {
    name: "another campaign that took over the bucket counts",
    now: specOf(newest, [pay, campaignOf("s2", "production")]),
    want: ["s2"],
  },
  {
    name: "another campaign does not count if main changed its bucket since",
    now: { ...specOf(newest, [pay, shop]), rollouts: makeSpec(newest, 80).rollouts },
    want: [],
  },
  { name: "another campaign that is newer than the run does not count", at: specOf(merged, [pay]), want: [] },
  {
    name: "no campaign counts for a bucket that is rolled back",
    run: {
      changes: [
        { pattern: "pay-.*", ...back },
        { pattern: "production", ...back },
      ],
    },
    want: [],
  },
  {
    name: "another campaign counts if a bucket is removed, because some namespaces may go forward",
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

test("1.5 no campaign counts if the run's commit was not read", () => {
  const own = makeRun(merged, sha("base"), { campaign: "pay", changes: ofBoth });
  expect(listOtherCampaigns(own, specOf(newest, [pay, shop]), new Map())).toEqual([]);
});
