import { findBucket, findWeight, type Rollouts } from "#libs/rollouts";

import type { Campaign, Stage } from "../settings/campaign.ts";

/** Whether every bucket of the stage gives the target at least the stage's share (rules 1.5); a missing bucket gives 0. */
export function isReached(campaign: Pick<Campaign, "target">, stage: Stage, rollouts: Rollouts): boolean {
  return Object.entries(stage.set).every(
    ([pattern, share]) => findWeight(findBucket(rollouts, pattern), campaign.target) >= share,
  );
}

/** The first stage that is not reached; undefined = all are. */
export function findNextStage(campaign: Campaign, rollouts: Rollouts): Stage | undefined {
  return campaign.stages.find((stage) => !isReached(campaign, stage, rollouts));
}
