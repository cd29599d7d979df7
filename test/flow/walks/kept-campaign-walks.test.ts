import { expect, test } from "vitest";

import { playCampaignWalk } from "./campaign/judge.ts";
import { drawCampaignSteps } from "./campaign/steps.ts";
import { keptCampaigns, playedFirst } from "./kept-walks.ts";

/** The first kept seeds; `MESHROLL_CAMPAIGN_WALKS=200`: 200 seeds from 0 on; `MESHROLL_CAMPAIGN_WALKS=1000+200`: from 1000 on. */
function readWalks(text: string | undefined): readonly number[] {
  if (text === undefined) return keptCampaigns.slice(0, playedFirst.campaigns);
  const [count = 2, first = 0] = text.split("+").map(Number).toReversed();
  return Array.from({ length: count }, (_, index) => first + index);
}

// A walk that fails prints its steps; the same seed plays the same steps. CI draws new walks each time (`npm run
// test:walks`).
for (const seed of readWalks(process.env["MESHROLL_CAMPAIGN_WALKS"])) {
  test(`campaign walk ${seed}: repaired and merged to its end, each workload runs the target, or is named`, async () => {
    const { faults, story } = await playCampaignWalk(String(seed), drawCampaignSteps(String(seed), 14));
    expect(faults, story.join("\n")).toEqual([]);
  });
}
