import { makeSpec, sha } from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaign";
import { describe, expect, it, test } from "vitest";

import { isRunOf, nameCampaignOf } from "./run-campaigns.ts";
import { settingsOf } from "../main/run-settings.ts";

const base = makeSpec(sha("head"), 100, { bake: 1 });

test("1.5 of a run of two campaigns each has a say in its own buckets; what none of them sets is the first one's", () => {
  const run = { campaign: "up", stage: "half", beside: [{ campaign: "pay", stage: "all", buckets: ["pay-.*"] }] };
  expect([isRunOf(run, "up"), isRunOf(run, "pay"), isRunOf(run, "other"), isRunOf({}, "up")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(["pay-.*", "production", "x"].map((bucket) => nameCampaignOf(run, bucket))).toEqual(["pay", "up", "up"]);
});

describe("1.5 what holds for a run of several campaigns", () => {
  const gate = (name: string, minRatio: number) =>
    ({ kind: "revisionMatch", name, when: "after", onFail: "pause", onNoData: "hold", minRatio }) as const;
  const batch = (batchSize: number) => ({ ...base.settings.batch, batchSize });
  const first = makeStage("half", 50, { bake: 2, batch: batch(5), gates: [gate("ours", 1)] });
  const other = makeStage("all", 100, { bake: 9, batch: batch(3), gates: [gate("ours", 0.5), gate("theirs", 0.7)] });
  const campaigns = [makeCampaign({ stages: [first] }), makeCampaign({ name: "pay", stages: [other] })];
  const run = { campaign: "up", stage: "half", beside: [{ campaign: "pay", stage: "all", buckets: ["pay-.*"] }] };
  const pick = (names: readonly string[]) => {
    const kept = campaigns.filter(({ name }) => names.includes(name)).map((each) => [each.name, each] as const);
    const { bake, batch: own, gates } = settingsOf({ ...base, campaigns: new Map(kept) }, run);
    return [
      bake,
      own.batchSize,
      gates.map((each) => `${each.name} ${"minRatio" in each ? each.minRatio : ""}`).toSorted(),
    ];
  };
  const cases = [
    {
      name: "the longest bake, the smallest batch, every gate",
      on: ["up", "pay"],
      want: [9, 3, ["ours 1", "theirs 0.7"]],
    },
    { name: "the first one's where the other is finished", on: ["up"], want: [2, 5, ["ours 1"]] },
    { name: "the other one's where the first is finished", on: ["pay"], want: [9, 3, ["ours 0.5", "theirs 0.7"]] },
  ];
  it.each(cases)("$name", ({ on, want }) => {
    expect(pick(on)).toEqual(want);
  });
});
