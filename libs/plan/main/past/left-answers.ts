import { BoundedMemory } from "#libs/input";
import { readDistribution } from "#libs/rollouts";

type Shares = ReadonlyMap<string, number>;

/** Revisions that have more by `now` than by `then`. */
function listRisen(then: Shares, now: Shares): readonly string[] {
  return [...now.keys()].filter((revision) => (now.get(revision) ?? 0) > (then.get(revision) ?? 0));
}

/** What a bucket's list is asked of an entry and where main goes on to: revisions that lose by it, and those that win. */
interface Turn {
  readonly entry: Shares;
  readonly falls: readonly string[];
  readonly rises: readonly string[];
}

/**
 * True when the turn gives something back to a revision from which main took it on its way from `earlier` to the entry: a namespace
 * may then have moved from the one to the other and back, and would move forward again if the entry came again.
 */
function takesBack(earlier: Shares, { entry, falls, rises }: Turn): boolean {
  const isMore = (a: Shares, b: Shares) => (revision: string) => (a.get(revision) ?? 0) > (b.get(revision) ?? 0);
  return falls.some(isMore(entry, earlier)) && rises.some(isMore(earlier, entry));
}

/** Main has few distributions, and a year of its history asks for each of them a thousand times. */
const known = new BoundedMemory<Shares | undefined>(5000);

function readShares(text: string): Shares | undefined {
  return known.recall(text, () => readDistribution(text));
}

/**
 * The entries of a bucket's list that stay where main goes on to `next`, which is none of them: an entry goes when `next` takes
 * back a part of what led to it. What is no distribution (a bucket that was not in the file) says nothing, and stays.
 */
export function dropOverwritten(entries: readonly string[], next: string): readonly string[] {
  const after = readShares(next);
  if (after === undefined) return entries;
  const read = entries.map(readShares);
  return entries.filter((_, index) => {
    const entry = read[index];
    if (entry === undefined) return true;
    const turn = { entry, falls: listRisen(after, entry), rises: listRisen(entry, after) };
    if (turn.falls.length === 0 || turn.rises.length === 0) return true;
    return !read.slice(0, index).some((earlier) => earlier !== undefined && takesBack(earlier, turn));
  });
}
