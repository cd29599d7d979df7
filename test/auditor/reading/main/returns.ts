import { listDistributions, seedOf } from "../files/assignment.ts";
import { isReadable } from "../files/readable.ts";
import type { AuditedCommit } from "../../evidence/evidence.ts";

/** The patterns that one commit changed: those set back to what main had before, and those moved forward. */
export interface Change {
  readonly commit: AuditedCommit;
  readonly forward: ReadonlySet<string>;
  readonly back: ReadonlySet<string>;
}

/** One pattern's distributions that main has had, oldest first; "" where the file did not name it. */
type Past = readonly string[];

/** Shares by revision, of `old=80 new=20`. */
function sharesOf(distribution: string): ReadonlyMap<string, number> {
  const pairs = distribution.split(" ").map((each) => each.split("="));
  return new Map(
    pairs.flatMap(([revision = "", weight]) => (weight === undefined ? [] : [[revision, Number(weight)]])),
  );
}

/** True when the middle of three distributions has more of a revision than both others (`sign` -1: less). */
function isTurn(revision: string, three: readonly ReadonlyMap<string, number>[], sign: number): boolean {
  const [before = 0, middle = 0, after = 0] = three.map((shares) => (shares.get(revision) ?? 0) * sign);
  return middle > before && middle > after;
}

/** Main went from `before` to `middle` and away again, at least for some namespaces: to come there again would be forward. */
function isLeft(before: string, middle: string, after: string): boolean {
  if ([before, middle, after].includes("")) return false;
  const three = [before, middle, after].map(sharesOf);
  const revisions = [...new Set(three.flatMap((shares) => [...shares.keys()]))];
  return [1, -1].every((sign) => revisions.some((revision) => isTurn(revision, three, sign)));
}

/**
 * The past of a pattern after it is set to `next`: a rollback cuts the list there, any other change appends and drops what it
 * leaves.
 */
function step(past: Past, next: string): { readonly past: Past; readonly isBack: boolean } {
  const found = past.indexOf(next);
  if (found !== -1) return { past: past.slice(0, found + 1), isBack: true };
  const kept = past.filter((entry, index) => !past.slice(0, index).some((before) => isLeft(before, entry, next)));
  return { past: [...kept, next], isBack: false };
}

const known = new WeakMap<readonly AuditedCommit[], readonly Change[]>();

/** Judges each readable commit after the first: forward or a rollback, pattern by pattern. */
export function listChanges(main: readonly AuditedCommit[]): readonly Change[] {
  const changes = known.get(main) ?? judgeChanges(main);
  known.set(main, changes);
  return changes;
}

/** The state of main at a commit. */
interface Place {
  readonly shares: ReadonlyMap<string, string>;
  readonly seed: string;
  readonly pasts: ReadonlyMap<string, Past>;
}

function startAt({ rollouts, settings }: AuditedCommit): Place {
  const shares = listDistributions(rollouts);
  return { shares, seed: seedOf(settings), pasts: new Map([...shares].map(([pattern, text]) => [pattern, [text]])) };
}

/** Applies one commit to a state of main: its change, and the next state. */
function takeCommit(place: Place, commit: AuditedCommit): { readonly change: Change; readonly next: Place } {
  const shares = listDistributions(commit.rollouts);
  const seed = seedOf(commit.settings);
  // A new seed assigns every namespace again, so no earlier distribution is an earlier answer.
  const pasts = new Map(seed === place.seed ? place.pasts : []);
  const forward = new Set<string>();
  const back = new Set<string>();
  for (const pattern of new Set([...place.shares.keys(), ...shares.keys()])) {
    const next = shares.get(pattern) ?? "";
    const past = pasts.get(pattern) ?? [place.shares.get(pattern) ?? ""];
    if (next === past.at(-1)) continue;
    const { past: kept, isBack } = step(past, next);
    pasts.set(pattern, kept);
    (isBack ? back : forward).add(pattern);
  }
  return { change: { commit, forward, back }, next: { shares, seed, pasts } };
}

/**
 * After a forced push main continues from the state at the commit's parent, and a commit that was there before changes nothing.
 */
function judgeChanges(main: readonly AuditedCommit[]): readonly Change[] {
  const [first, ...later] = main.filter((commit) => isReadable(commit));
  if (first === undefined) return [];
  let place = startAt(first);
  const places = new Map([[first.sha, place]]);
  return later.flatMap((commit) => {
    const again = places.get(commit.sha);
    if (commit.isForced === true) place = again ?? places.get(commit.parent ?? "") ?? place;
    if (again !== undefined) return [];
    const { change, next } = takeCommit(place, commit);
    place = next;
    places.set(commit.sha, next);
    return [change];
  });
}
