import { makeSpec, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, it } from "vitest";

import { findCampaign, findStage, settingsOf, settingsOver } from "./run-settings.ts";

const base = makeSpec(sha("head"), 100, { bake: 1 });
const half = makeStage("half", 50, { bake: 2 });
const all = makeStage("all", 100, { bake: 3 });
const head = withCampaign(base, makeCampaign({ stages: [half, all] }));

describe("1.4 whose settings a run has, by main's head", () => {
  const cases = [
    { name: "those of its stage", spec: head, run: { campaign: "up", stage: "all" }, want: 3 },
    {
      name: "those of the first stage, if its own was renamed",
      spec: head,
      run: { campaign: "up", stage: "most" },
      want: 2,
    },
    {
      name: "those of meshroll.yml, if its campaign is finished",
      spec: base,
      run: { campaign: "up", stage: "all" },
      want: 1,
    },
  ];
  it.each(cases)("$name", ({ spec, run, want }) => {
    expect(settingsOf(spec, run).bake).toBe(want);
    const stage = want === 1 ? undefined : [half, all].find(({ settings }) => settings.bake === want);
    expect(findStage(spec, run)).toBe(stage);
    expect(settingsOver({ head: spec, settings: undefined }, run)?.bake).toBe(stage?.settings.bake);
    expect(settingsOver({ head: spec, settings: base.settings }, run).bake).toBe(want);
    expect(findCampaign(spec, run)?.name).toBe(want === 1 ? undefined : "up");
  });
});
