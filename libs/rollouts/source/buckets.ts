import type { Bucket, Rollouts } from "./types.ts";

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
