import { compareBytes } from "../source/byte-order.ts";
import { comparePatterns } from "../patterns/pattern-index.ts";
import type { Resolver } from "./resolve.ts";
import type { Answer, Bucket } from "../source/types.ts";

/** A namespace whose answer differs between two files. */
export interface Move {
  readonly namespace: string;
  readonly from: string;
  readonly to: string;
  /** The pattern that decides afterwards. */
  readonly bucket: string;
}

/** How many namespaces of a bucket a revision has, by the file before and by the file after. */
export interface RevisionCount {
  readonly revision: string;
  readonly before: number;
  readonly after: number;
}

/** What a change means for one bucket of the file after it. Namespaces that changed bucket count where they are now. */
export interface BucketDiff {
  readonly bucket: Bucket;
  readonly namespaces: number;
  readonly moves: number;
  /** How many of the moves are backward. */
  readonly back: number;
  /** In byte order of the revisions. */
  readonly revisions: readonly RevisionCount[];
}

/** Who moves between two files. For display: what is left to do is judged by what runs, never by this. */
export interface RolloutDiff {
  /** In the order of the namespaces that were given. */
  readonly moves: readonly Move[];
  /** Moves against the ramp: away from a revision of which the namespace's bucket asks as much as before, or more. None in a ramp. */
  readonly back: readonly Move[];
  /** Buckets that decide for at least one namespace, best pattern first. */
  readonly perBucket: readonly BucketDiff[];
  /** The fewest moves that could lead to the same counts per bucket and revision. */
  readonly fewestPossible: number;
}

interface Tally {
  readonly bucket: Bucket;
  readonly counts: Map<string, { before: number; after: number }>;
  namespaces: number;
  moves: number;
  back: number;
}

/** Compares the answers of two files for some namespaces; each should be given once. */
export function diffRollouts(before: Resolver, after: Resolver, namespaces: Iterable<string>): RolloutDiff {
  const moves: Move[] = [];
  const back: Move[] = [];
  const tallies = new Map<string, Tally>();
  for (const namespace of namespaces) {
    const [old, now] = [before.resolve(namespace), after.resolve(namespace)];
    const tally = findTally(tallies, now.bucket);
    tally.namespaces++;
    countRevision(tally, old.revision).before++;
    countRevision(tally, now.revision).after++;
    if (old.revision === now.revision) continue;
    const move = { namespace, from: old.revision, to: now.revision, bucket: now.bucket.pattern };
    moves.push(move);
    tally.moves++;
    if (!isBackward(old, now)) continue;
    back.push(move);
    tally.back++;
  }
  const perBucket = [...tallies.values()].map(closeTally).toSorted(compareDiffs);
  const fewestPossible = perBucket.reduce((sum, { revisions }) => sum + sumMigrations(revisions), 0);
  return { moves, back, perBucket, fewestPossible };
}

/** The share of what it leaves did not fall: another one should have moved, or none. */
function isBackward(old: Answer, now: Answer): boolean {
  return weightOf(now.bucket, old.revision) >= weightOf(old.bucket, old.revision);
}

function weightOf({ shares }: Bucket, revision: string): number {
  return shares.find((share) => share.revision === revision)?.weight ?? 0;
}

function findTally(tallies: Map<string, Tally>, bucket: Bucket): Tally {
  const known = tallies.get(bucket.pattern);
  if (known !== undefined) return known;
  const tally: Tally = { bucket, counts: new Map(), namespaces: 0, moves: 0, back: 0 };
  tallies.set(bucket.pattern, tally);
  return tally;
}

function countRevision({ counts }: Tally, revision: string): { before: number; after: number } {
  const known = counts.get(revision);
  if (known !== undefined) return known;
  const count = { before: 0, after: 0 };
  counts.set(revision, count);
  return count;
}

function closeTally({ bucket, counts, namespaces, moves, back }: Tally): BucketDiff {
  const revisions = [...counts].map(([revision, count]) => ({ revision, ...count }));
  return {
    bucket,
    namespaces,
    moves,
    back,
    revisions: revisions.toSorted((a, b) => compareBytes(a.revision, b.revision)),
  };
}

function compareDiffs(a: BucketDiff, b: BucketDiff): number {
  return comparePatterns(a.bucket.pattern, b.bucket.pattern);
}

/** Each namespace that a revision has more of afterwards must have come from elsewhere. */
function sumMigrations(revisions: readonly RevisionCount[]): number {
  return revisions.reduce((sum, { before, after }) => sum + Math.max(0, after - before), 0);
}
