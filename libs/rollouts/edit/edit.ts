import { isRevision } from "../file/check-buckets.ts";
import type { BucketLayout, ShareLayout } from "../source/layout.ts";
import { parseRollouts } from "../parse.ts";
import { readRollouts, report } from "../read-rollouts.ts";
import { writeNewShare, type Splice } from "./new-share.ts";
import { quoteText, toFinding, type Problem, type Source } from "../source/source.ts";
import type { Finding, Rollouts, Share } from "../source/types.ts";
import { isWeight } from "../source/weight.ts";

/** New weights for revisions of one bucket. Revisions that are not named keep what they have. */
export interface ShareChange {
  readonly pattern: string;
  readonly shares: readonly Share[];
}

export type Edited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Writes weights (whole percent) into the text of `rollouts.yml`: only digits change, and a revision that its bucket lacks becomes
 * one more entry in the neighbours' style. Every other byte stays. Refuses, with findings, what it cannot do that way, and any
 * result that would not be a valid file saying exactly what was requested.
 */
export function editShares(text: string, changes: readonly ShareChange[], file = "rollouts.yml"): Edited {
  const reading = readRollouts(text, file);
  if (!reading.ok) return { ok: false, findings: reading.findings };
  const { source, buckets } = reading;
  const byPattern = new Map(buckets.map((bucket) => [bucket.key.name, bucket]));
  const refused = [...reading.problems, ...checkChanges(byPattern, changes)];
  if (refused.length > 0) return { ok: false, findings: report(source, refused) };
  const splices = changes.flatMap((change) => {
    const bucket = byPattern.get(change.pattern);
    return bucket === undefined ? [] : spliceBucket(source, bucket, change.shares);
  });
  return verify(source, buckets, changes, applySplices(text, splices));
}

function checkChanges(buckets: ReadonlyMap<string, BucketLayout>, changes: readonly ShareChange[]): readonly Problem[] {
  const seen = new Set<string>();
  return changes.flatMap((change) => {
    const bucket = buckets.get(change.pattern);
    const isRepeated = seen.has(change.pattern);
    seen.add(change.pattern);
    if (bucket === undefined) {
      const message = `there is no bucket ${quoteText(change.pattern)} to edit`;
      return [
        { code: "MR1019", span: { start: 0, end: 1 }, message, help: "add the bucket by hand, then run this again" },
      ];
    }
    const repeated = refuse("MR1019", bucket, `the edit names bucket ${quoteText(change.pattern)} twice`);
    return [...(isRepeated ? [repeated] : []), ...checkShares(bucket, change.shares)];
  });
}

function checkShares(bucket: BucketLayout, shares: readonly Share[]): readonly Problem[] {
  const names = new Set(shares.map(({ revision }) => revision));
  const bad = shares.flatMap(({ revision, weight }) => {
    const sets = `the edit sets revision ${quoteText(revision)}`;
    if (!isRevision(revision)) return [refuse("MR1016", bucket, `${sets}, which cannot be the value of a label`)];
    return isWeight(weight) ? [] : [refuse("MR1005", bucket, `${sets} to ${weight}, which is not a whole percentage`)];
  });
  return names.size === shares.length ? bad : [...bad, refuse("MR1019", bucket, "the edit names a revision twice")];
}

function refuse(code: string, bucket: BucketLayout, message: string): Problem {
  return {
    code,
    span: bucket.key.span,
    message,
    help: "ask for each bucket and revision once, with a whole number from 0 to 100",
  };
}

function spliceBucket(source: Source, bucket: BucketLayout, shares: readonly Share[]): readonly Splice[] {
  const present = new Map(bucket.shares.map((share) => [share.key.name, share]));
  const changed = shares.flatMap((share) => spliceDigits(present.get(share.revision), share.weight));
  const added = shares.filter(({ revision }) => !present.has(revision));
  return [...changed, ...writeNewShare(source, bucket, added)];
}

function spliceDigits(share: ShareLayout | undefined, weight: number): readonly Splice[] {
  if (share === undefined || share.weight === weight) return [];
  return [{ ...share.value, text: String(weight) }];
}

/** Splices never overlap; one that adds a share stands behind the digits that it follows. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(done, splice.start), splice.text);
    done = splice.end;
  }
  return [...pieces, text.slice(done)].join("");
}

/** The last word: the result is read like any file, and must say what was requested and nothing else. */
function verify(
  source: Source,
  before: readonly BucketLayout[],
  changes: readonly ShareChange[],
  text: string,
): Edited {
  const parsed = parseRollouts(text, source.file);
  if (!parsed.ok) return { ok: false, findings: parsed.findings };
  if (describe(parsed.value) === describe({ buckets: before.map((bucket) => expectBucket(bucket, changes)) }))
    return { ok: true, text };
  const message = "this file cannot be edited without reformatting it";
  const help = "write one `revision: percentage` per line, then run this again";
  return { ok: false, findings: [toFinding(source, { code: "MR1013", span: { start: 0, end: 1 }, message, help })] };
}

function expectBucket(bucket: BucketLayout, changes: readonly ShareChange[]): Rollouts["buckets"][number] {
  const wanted = new Map(
    changes.find(({ pattern }) => pattern === bucket.key.name)?.shares.map((one) => [one.revision, one.weight]),
  );
  const kept = bucket.shares.map(({ key, weight }) => ({
    revision: key.name,
    weight: wanted.get(key.name) ?? weight ?? 0,
  }));
  const names = new Set(kept.map(({ revision }) => revision));
  const added = [...wanted]
    .filter(([revision]) => !names.has(revision))
    .map(([revision, weight]) => ({ revision, weight }));
  return { pattern: bucket.key.name, line: 0, column: 0, shares: [...kept, ...added] };
}

/** Patterns and shares without their places: two files that say the same are described the same. */
export function describe({ buckets }: Rollouts): string {
  return JSON.stringify(
    buckets.map(({ pattern, shares }) => [pattern, shares.map(({ revision, weight }) => [revision, weight])]),
  );
}
