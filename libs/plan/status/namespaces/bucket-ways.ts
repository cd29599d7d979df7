import { type Bucket, compareBytes } from "#libs/rollouts";

import type { Spec } from "../../records/index.ts";
import type { TableBucket } from "./namespace-table.ts";

/** A bucket's way from one revision to another; its namespaces' positions are between the two. */
export interface BucketWay {
  readonly described: TableBucket;
  /** Percent of `to` above which a namespace moves; undefined where there are not two revisions. */
  readonly measure: (namespace: string) => number | undefined;
}

/** The target of the unfinished campaign of the bucket. */
function findTarget({ campaigns }: Spec, pattern: string): string | undefined {
  const mine = [...campaigns.values()].filter(({ stages }) =>
    stages.some(({ set }) => Object.keys(set).includes(pattern)),
  );
  return mine.at(-1)?.target;
}

/**
 * The two revisions between which the bucket moves: those with a share, or the only two listed, or the only one and the target.
 */
function findRevisionPair({ shares }: Bucket, target: string | undefined): readonly string[] {
  const weighted = shares.filter(({ weight }) => weight > 0).map(({ revision }) => revision);
  const listed = new Set([...weighted, ...(target === undefined ? [] : [target])]);
  if (weighted.length === 1 && listed.size === 1) return shares.map(({ revision }) => revision);
  return weighted.length === 1 ? [...listed] : weighted;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function findWay(head: Spec, bucket: Bucket): BucketWay {
  const shares = bucket.shares.map(({ revision, weight }) => ({ revision, requested: weight }));
  const target = findTarget(head, bucket.pattern);
  const [first, second, third] = findRevisionPair(bucket, target).toSorted(compareBytes);
  if (first === undefined || second === undefined || third !== undefined) {
    return { described: { bucket: bucket.pattern, shares }, measure: () => undefined };
  }
  const to = target === first ? first : second;
  const pair = { ...bucket, shares: [first, second].map((revision) => ({ revision, weight: 50 })) };
  const measure = (namespace: string): number | undefined => {
    const position = head.resolver.position(namespace, pair);
    if (position === undefined) return undefined;
    // A position is the share of the second revision; the first has the rest.
    return round(to === second ? position : 100 - position);
  };
  return { described: { bucket: bucket.pattern, shares, to }, measure };
}

/** By bucket pattern, in the file's order. */
export function findWays(head: Spec): ReadonlyMap<string, BucketWay> {
  return new Map(head.rollouts.buckets.map((bucket) => [bucket.pattern, findWay(head, bucket)]));
}
