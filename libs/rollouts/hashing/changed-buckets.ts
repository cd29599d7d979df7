import { compareBytes } from "../source/byte-order.ts";
import type { Bucket, Rollouts } from "../source/types.ts";

/** Patterns whose revisions of weight > 0 or their weights differ between two files, new and removed ones included; in byte order. */
export function changedBuckets(before: Rollouts, after: Rollouts): readonly string[] {
  const [old, now] = [describeBuckets(before), describeBuckets(after)];
  const patterns = new Set([...old.keys(), ...now.keys()]);
  return [...patterns].filter((pattern) => old.get(pattern) !== now.get(pattern)).toSorted(compareBytes);
}

/** Rule 1.1: true when a commit from one file to the other is no run. Order, places, comments and weights of 0 do not count. */
export function sameRollouts(a: Rollouts, b: Rollouts): boolean {
  return changedBuckets(a, b).length === 0;
}

/** One text per bucket, by its pattern: the same text for the same distribution, and for no other (rules 2.1). */
export function printDistributions(rollouts: Rollouts): ReadonlyMap<string, string> {
  return describeBuckets(rollouts);
}

function describeBuckets({ buckets }: Rollouts): ReadonlyMap<string, string> {
  return new Map(buckets.map((bucket) => [bucket.pattern, describeShares(bucket)]));
}

/** The same text for the same distribution, and for no other. */
function describeShares({ shares }: Bucket): string {
  const weighted = shares.filter(({ weight }) => weight > 0).toSorted((a, b) => compareBytes(a.revision, b.revision));
  return JSON.stringify(weighted.map(({ revision, weight }) => [revision, weight]));
}

/** Weight by revision of what `printDistributions` wrote; undefined for any other text, "" of a bucket that was not there included. */
export function readDistribution(text: string): ReadonlyMap<string, number> | undefined {
  const shares = parseArray(text)?.map((each) => (isShare(each) ? each : undefined));
  return shares?.every((each) => each !== undefined) === true ? new Map(shares) : undefined;
}

function parseArray(text: string): readonly unknown[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isShare(value: unknown): value is readonly [revision: string, weight: number] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";
}
