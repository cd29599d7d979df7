import { lookUp } from "#libs/input";
import {
  type Bucket,
  type Finding,
  findBucket,
  findWeight,
  type Rollouts,
  type Share,
  type ShareChange,
} from "#libs/rollouts";

import type { Campaign, Stage } from "../settings/campaign.ts";

/** The edit of `rollouts.yml` for a stage: only changed shares of changed buckets; or why it cannot be made. */
export type Ramp =
  | { readonly ok: true; readonly changes: readonly ShareChange[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * The edit for a stage: in each of its buckets the target gets its share and the revisions in `replaces` give it up in
 * proportion, so that as few namespaces as possible move. A bucket that has reached its share keeps it.
 */
export function planRamp(campaign: Campaign, stage: Stage, rollouts: Rollouts): Ramp {
  const changes: ShareChange[] = [];
  const findings: Finding[] = [];
  for (const [pattern, share] of Object.entries(stage.set)) {
    const bucket = findBucket(rollouts, pattern);
    const ramp = bucket === undefined ? refuseMissing(pattern) : rampBucket(campaign, bucket, share);
    if (ramp.ok) changes.push(...ramp.changes);
    else findings.push({ ...ramp.finding, file: campaign.file, ...locateSet(stage, pattern) });
  }
  return findings.length > 0 ? { ok: false, findings } : { ok: true, changes };
}

/** The place of a bucket in a stage, in the campaign's file. */
export function locateSet(stage: Stage, pattern: string): Pick<Finding, "line" | "column" | "length"> {
  return lookUp(stage.places, pattern) ?? { line: stage.line, column: 1 };
}

type Refused = Pick<Finding, "code" | "severity" | "message" | "help">;
type BucketRamp =
  | { readonly ok: true; readonly changes: readonly ShareChange[] }
  | { readonly ok: false; readonly finding: Refused };

/** MR2003, with the same words everywhere. */
export function refuseMissing(pattern: string): { readonly ok: false; readonly finding: Refused } {
  const message = `there is no bucket \`${pattern}\` in rollouts.yml`;
  const help = "buckets are named exactly as rollouts.yml writes them: add the bucket there first, or fix the name";
  return { ok: false, finding: { code: "MR2003", severity: "error", message, help } };
}

function rampBucket(campaign: Campaign, bucket: Bucket, share: number): BucketRamp {
  const { target, replaces } = campaign;
  const delta = share - findWeight(bucket, target);
  if (delta <= 0) return { ok: true, changes: [] };
  const giving = bucket.shares.filter(({ revision, weight }) => weight > 0 && replaces.includes(revision));
  const available = giving.reduce((sum, { weight }) => sum + weight, 0);
  if (available < delta) return refuseRoom(campaign, bucket, share, available);
  const shares = [...scaleDown(giving, available - delta), { revision: target, weight: share }];
  return { ok: true, changes: [{ pattern: bucket.pattern, shares }] };
}

/** MR2010: the rest of the bucket belongs to revisions that the campaign does not replace. */
function refuseRoom({ target, replaces }: Campaign, bucket: Bucket, share: number, available: number): BucketRamp {
  const most = findWeight(bucket, target) + available;
  const others = bucket.shares.filter(
    ({ revision, weight }) => weight > 0 && revision !== target && !replaces.includes(revision),
  );
  const held = others.map(({ revision, weight }) => `${revision} has ${weight}`).join(", ");
  const message = `\`${bucket.pattern}\` can give ${target} at most ${most}, not ${share}: ${held}, and \`replaces\` does not name it`;
  const help = `add ${others.map(({ revision }) => revision).join(", ")} to \`replaces\`, or set at most ${most}`;
  return { ok: false, finding: { code: "MR2010", severity: "error", message, help } };
}

/**
 * Shares of the same revisions, in proportion, with the sum `total`: whole parts first, then one each to the largest
 * remainders. No revision gets more than it had.
 */
function scaleDown(shares: readonly Share[], total: number): readonly Share[] {
  const before = shares.reduce((sum, { weight }) => sum + weight, 0);
  const parts = shares.map(({ revision, weight }, index) => {
    const exact = weight * total;
    return { revision, index, whole: Math.floor(exact / before), rest: exact % before };
  });
  const missing = total - parts.reduce((sum, { whole }) => sum + whole, 0);
  const favoured = new Set(
    parts
      .toSorted((a, b) => b.rest - a.rest || a.index - b.index)
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return parts.map(({ revision, index, whole }) => ({ revision, weight: whole + (favoured.has(index) ? 1 : 0) }));
}
