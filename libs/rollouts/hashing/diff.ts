import { findWeight } from "../source/buckets.ts";
import { compareBytes } from "../source/byte-order.ts";
import { comparePatterns } from "../patterns/pattern-index.ts";
import type { Resolver } from "./resolve.ts";
import type { Answer, Bucket } from "../source/types.ts";

/** A namespace whose answer differs between two files. */
export interface Move {
  readonly namespace: string;
  readonly from: string;
  readonly to: string;
  /** The bucket afterwards. */
  readonly bucket: string;
}

/** Namespaces of a bucket on a revision, by the file before and by the file after. */
export interface RevisionCount {
  readonly revision: string;
  readonly before: number;
  readonly after: number;
}

/** The effect of a change on one bucket of the later file. Namespaces that changed bucket count in the later one. */
export interface BucketDiff {
  readonly bucket: Bucket;
  readonly namespaces: number;
  readonly moves: number;
  /** How many of the moves are backward. */
  readonly back: number;
  /** In byte order of the revisions. */
  readonly revisions: readonly RevisionCount[];
}

/** What moves between two files, for display. What is left to do is judged by what runs. */
export interface RolloutDiff {
  /** In the order of the given namespaces. */
  readonly moves: readonly Move[];
  /** Moves away from a revision whose share of the bucket did not fall. A ramp has none. */
  readonly back: readonly Move[];
  /** Buckets of at least one namespace, the longest pattern first. */
  readonly perBucket: readonly BucketDiff[];
  /** The fewest moves with the same counts per bucket and revision. */
  readonly fewestPossible: number;
}

interface Tally {
  readonly bucket: Bucket;
  readonly counts: Map<string, { before: number; after: number }>;
  namespaces: number;
  moves: number;
  back: number;
}

/** Compares the answers of two files for some namespaces, each given once. */
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

/** The share of the revision that it leaves did not fall. */
function isBackward(old: Answer, now: Answer): boolean {
  return findWeight(now.bucket, old.revision) >= findWeight(old.bucket, old.revision);
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

/** Each additional namespace of a revision must have come from another one. */
function sumMigrations(revisions: readonly RevisionCount[]): number {
  return revisions.reduce((sum, { before, after }) => sum + Math.max(0, after - before), 0);
}
