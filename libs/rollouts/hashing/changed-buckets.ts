import { compareBytes } from "../source/byte-order.ts";
import type { Bucket, Rollouts } from "../source/types.ts";

/** Patterns whose distributions differ between two files, new and removed ones included; in byte order. */
export function changedBuckets(before: Rollouts, after: Rollouts): readonly string[] {
  const [old, now] = [describeBuckets(before), describeBuckets(after)];
  const patterns = new Set([...old.keys(), ...now.keys()]);
  return [...patterns].filter((pattern) => old.get(pattern) !== now.get(pattern)).toSorted(compareBytes);
}

/** Rules 1.1: whether a commit from one file to the other is no run. Order, places, comments and weights of 0 do not count. */
export function sameRollouts(a: Rollouts, b: Rollouts): boolean {
  return changedBuckets(a, b).length === 0;
}

/** The distribution of each bucket as a text, by its pattern; equal texts exactly for equal distributions (rules 2.1). */
export function printDistributions(rollouts: Rollouts): ReadonlyMap<string, string> {
  return describeBuckets(rollouts);
}

function describeBuckets({ buckets }: Rollouts): ReadonlyMap<string, string> {
  return new Map(buckets.map((bucket) => [bucket.pattern, describeShares(bucket)]));
}

/** Equal texts exactly for equal distributions. */
function describeShares({ shares }: Bucket): string {
  const weighted = shares.filter(({ weight }) => weight > 0).toSorted((a, b) => compareBytes(a.revision, b.revision));
  return JSON.stringify(weighted.map(({ revision, weight }) => [revision, weight]));
}

/** Weights by revision in a text of `printDistributions`; undefined for any other text, also "" for an absent bucket. */
export function readDistribution(text: string): ReadonlyMap<string, number> | undefined {
  const shares = parseArray(text)?.map((each) => (isShare(each) ? each : undefined));
  return shares?.every((each) => each !== undefined) === true ? new Map(shares) : undefined;
}

/** A distribution as in `rollouts.yml`, `1-24-5: 80, 1-25-2: 20`; another text, as older records have it, stays as it is. */
export function showDistribution(text: string): string {
  const shares = [...(readDistribution(text) ?? [])];
  return shares.length === 0 ? text : shares.map(([revision, weight]) => `${revision}: ${weight}`).join(", ");
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
