import { BoundedMemory } from "#libs/input";
import { readDistribution } from "#libs/rollouts";

type Shares = ReadonlyMap<string, number>;

/** Revisions with a larger share by `now` than by `then`. */
function listRisen(then: Shares, now: Shares): readonly string[] {
  return [...now.keys()].filter((revision) => (now.get(revision) ?? 0) > (then.get(revision) ?? 0));
}

/** A change from an entry of a bucket's list to main's next distribution: the revisions that lose and gain by it. */
interface Turn {
  readonly entry: Shares;
  readonly falls: readonly string[];
  readonly rises: readonly string[];
}

/**
 * Whether the change gives something back to a revision that lost it between `earlier` and the entry: a namespace may then have
 * moved from one to the other and back, and the entry would move it forward again.
 */
function takesBack(earlier: Shares, { entry, falls, rises }: Turn): boolean {
  const isMore = (a: Shares, b: Shares) => (revision: string) => (a.get(revision) ?? 0) > (b.get(revision) ?? 0);
  return falls.some(isMore(entry, earlier)) && rises.some(isMore(earlier, entry));
}

/** A history has few distributions, and each of them is read a thousand times a year of it. */
const known = new BoundedMemory<Shares | undefined>(5000);

function readShares(text: string): Shares | undefined {
  return known.recall(text, () => readDistribution(text));
}

/**
 * The entries of a bucket's list that remain when main goes on to `next`, which is not among them. An entry is removed when
 * `next` takes back a part of the change that led to it; an entry without shares (no bucket) stays.
 */
export function dropTakenBack(entries: readonly string[], next: string): readonly string[] {
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
