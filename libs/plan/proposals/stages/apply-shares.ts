import { compileRollouts, type Rollouts, type ShareChange } from "#libs/rollouts";

import type { Spec } from "../../records/index.ts";

/** The same buckets with other weights; a new revision comes last, as in an edit of the text. */
function applyTo(rollouts: Rollouts, changes: readonly ShareChange[]): Rollouts {
  const wanted = new Map(changes.map(({ pattern, shares }) => [pattern, shares]));
  return {
    buckets: rollouts.buckets.map((bucket) => {
      const shares = wanted.get(bucket.pattern) ?? [];
      const weights = new Map(shares.map(({ revision, weight }) => [revision, weight]));
      const had = new Set(bucket.shares.map(({ revision }) => revision));
      const kept = bucket.shares.map((share) => ({ ...share, weight: weights.get(share.revision) ?? share.weight }));
      return { ...bucket, shares: [...kept, ...shares.filter(({ revision }) => !had.has(revision))] };
    }),
  };
}

/** Main with these shares. It keeps main's commit, because the new one does not exist yet. */
export function applyShares(head: Spec, changes: readonly ShareChange[]): Spec {
  const rollouts = applyTo(head.rollouts, changes);
  return { ...head, rollouts, resolver: compileRollouts(rollouts, head.settings.seed) };
}
