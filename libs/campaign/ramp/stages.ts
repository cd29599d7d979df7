import type { Bucket, Rollouts } from "#libs/rollouts";

import type { Campaign, Stage } from "../settings/campaign.ts";

const indexes = new WeakMap<Rollouts, ReadonlyMap<string, Bucket>>();

/** Made once for a file: each stage of each campaign looks its buckets up at each reconcile, and a file may have thousands. */
function indexBuckets(rollouts: Rollouts): ReadonlyMap<string, Bucket> {
  const known = indexes.get(rollouts);
  if (known !== undefined) return known;
  const made = new Map(rollouts.buckets.map((bucket) => [bucket.pattern, bucket]));
  indexes.set(rollouts, made);
  return made;
}

/** The bucket of a pattern, as `rollouts.yml` writes it. */
export function findBucket(rollouts: Rollouts, pattern: string): Bucket | undefined {
  return indexBuckets(rollouts).get(pattern);
}

/** The share of a revision in a bucket, in whole percent; 0 where it is not named. */
export function findWeight(bucket: Bucket | undefined, revision: string): number {
  return bucket?.shares.find((share) => share.revision === revision)?.weight ?? 0;
}

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
