import { checkDefaultBucket, checkRevision, checkSum, DEFAULT_BUCKET } from "./file/check-buckets.ts";
import { checkPins } from "./checks/check-pins.ts";
import type { BucketLayout } from "./source/layout.ts";
import { checkPattern } from "./patterns/pattern-check.ts";
import { readRollouts, report } from "./read-rollouts.ts";
import { locate, type Problem, type Source } from "./source/source.ts";
import type { Bucket, Parsed, Rollouts } from "./source/types.ts";

/** Reads `rollouts.yml` (bytes or text, at most 1 MiB); `file` is only the name that findings carry. Never throws on bad input. */
export function parseRollouts(text: string | Uint8Array, file: string): Parsed<Rollouts> {
  const reading = readRollouts(text, file);
  if (!reading.ok) return { ok: false, findings: reading.findings };
  const { source, buckets } = reading;
  const problems = [...reading.problems, ...checkBuckets(source, buckets)];
  const findings = report(source, problems);
  if (findings.some(({ severity }) => severity === "error")) return { ok: false, findings };
  return { ok: true, value: { buckets: buckets.map((bucket) => toBucket(source, bucket)) }, findings };
}

function checkBuckets(source: Source, buckets: readonly BucketLayout[]): readonly Problem[] {
  const patterned = buckets.filter(({ key }) => key.name !== DEFAULT_BUCKET);
  const patterns = patterned.map((bucket) => ({ bucket, problems: checkPattern(source.text, bucket.key) }));
  // A pattern that is not one cannot be compared with others, nor one with its own duplicate.
  const valid = patterns.filter(({ problems }) => problems.every(({ severity = "error" }) => severity !== "error"));
  const unique = [...new Map(valid.map(({ bucket }) => [bucket.key.name, bucket])).values()];
  return [
    ...checkDefaultBucket(buckets),
    ...patterns.flatMap(({ problems }) => problems),
    ...buckets.flatMap((bucket) => [...bucket.shares.flatMap(({ key }) => checkRevision(key)), ...checkSum(bucket)]),
    ...checkPins(unique),
  ];
}

function toBucket(source: Source, bucket: BucketLayout): Bucket {
  return {
    pattern: bucket.key.name,
    ...locate(source, bucket.key.span.start),
    // Every share has a weight here: one without made an error, and errors end before this.
    shares: bucket.shares.map(({ key, weight }) => ({ revision: key.name, weight: weight ?? 0 })),
  };
}
