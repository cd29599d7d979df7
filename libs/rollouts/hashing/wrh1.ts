import { compareBytes } from "../source/byte-order.ts";
import { negativeLog2 } from "./log-table.ts";
import { hashText, TextHasher } from "./murmur3.ts";
import type { Share } from "../source/types.ts";

/** A revision of a bucket. */
export interface Candidate {
  readonly revision: string;
  /** A whole number up to 1,000,000; only ratios count. */
  readonly weight: number;
  /** The seed under which keys are hashed for this revision. */
  readonly seed: number;
}

/** The 32-bit number of a seed's text; 0 for the empty seed. */
export function hashSeed(seed: string): number {
  return hashText(seed, 0);
}

/**
 * The revisions of weight > 0 in byte order, so that their order in the file does not matter and ties fall to the smaller name.
 * `seed` is from `hashSeed`.
 */
export function listCandidates(shares: readonly Share[], seed: number): readonly Candidate[] {
  return sortCandidates(
    shares.filter(({ weight }) => weight > 0),
    seed,
  );
}

/** The two revisions between which keys have a position: those of weight > 0 if there are two, else the two that are listed. */
export function findPair(shares: readonly Share[], seed: number): readonly [Candidate, Candidate] | undefined {
  const weighted = shares.filter(({ weight }) => weight > 0);
  const [first, second, third] = sortCandidates(weighted.length === 2 ? weighted : shares, seed);
  return first === undefined || second === undefined || third !== undefined ? undefined : [first, second];
}

function sortCandidates(shares: readonly Share[], seed: number): readonly Candidate[] {
  return shares
    .map(({ revision, weight }) => ({ revision, weight, seed: hashText(revision, seed) }))
    .toSorted((a, b) => compareBytes(a.revision, b.revision));
}

/** Loaded again for every key, so it has no visible state. */
const hasher = new TextHasher();

/** How far a key is from a revision, 1..553648128: the revision with the smallest distance per weight wins. @internal */
export function measureDistance(key: string, candidate: Candidate): number {
  hasher.load(key);
  return negativeLog2(hasher.hash(candidate.seed));
}

/** Whether `distance / weight` is strictly smaller. Multiplied crosswise, at most 2^50, which is exact. @internal */
export function isNearer(distance: number, weight: number, otherDistance: number, otherWeight: number): boolean {
  return distance * otherWeight < otherDistance * weight;
}

/**
 * The revision of a key by `wrh1`, weighted rendezvous hashing. `candidates` are from `listCandidates`; undefined if there is
 * none.
 */
export function pickCandidate(key: string, candidates: readonly Candidate[]): Candidate | undefined {
  let [best] = candidates;
  // A single candidate needs no hash, the most frequent case.
  if (best === undefined || candidates.length === 1) return best;
  hasher.load(key);
  let nearest = negativeLog2(hasher.hash(best.seed));
  for (let at = 1; at < candidates.length; at++) {
    const candidate = candidates[at];
    if (candidate === undefined) break;
    const distance = negativeLog2(hasher.hash(candidate.seed));
    if (!isNearer(distance, candidate.weight, nearest, best.weight)) continue;
    best = candidate;
    nearest = distance;
  }
  return best;
}

/** The revision of two that a key runs (`second` or not), and its position, computed together. */
export function judgePair(
  key: string,
  first: Candidate,
  second: Candidate,
): { readonly isSecond: boolean; readonly position: number } {
  hasher.load(key);
  const distance = negativeLog2(hasher.hash(first.seed));
  const other = negativeLog2(hasher.hash(second.seed));
  return { isSecond: isNearer(other, second.weight, distance, first.weight), position: findPosition(distance, other) };
}

/**
 * The position of a key: the percent of the second revision of a pair at which the key moves to it, above 0 and below 100. It runs the
 * second exactly when that one's share of the two is *greater* (at an equal share the tie falls to the first). Takes the distances.
 *
 * As a double it decides exactly like the integers: a quotient that is no whole number stays at least 2^-31 away from one.
 *
 * @internal
 */
export function findPosition(first: number, second: number): number {
  return (100 * second) / (first + second);
}
