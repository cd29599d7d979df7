import { readDistribution } from "#libs/spec";

type Shares = ReadonlyMap<string, number>;

/** Revisions that have more by `now` than by `then`. */
function listRisen(then: Shares, now: Shares): readonly string[] {
  return [...now.keys()].filter((revision) => (now.get(revision) ?? 0) > (then.get(revision) ?? 0));
}

/**
 * True when `next` gives something back to a revision from which main took it on its way from `earlier` to `entry`: a namespace
 * may then have moved from the one to the other and back, and would move forward again if `entry` came again.
 */
function takesBack(earlier: Shares, entry: Shares, next: Shares): boolean {
  const [came, went] = [listRisen(earlier, entry), listRisen(entry, earlier)];
  const [falls, rises] = [new Set(listRisen(next, entry)), new Set(listRisen(entry, next))];
  return came.some((revision) => falls.has(revision)) && went.some((revision) => rises.has(revision));
}

/**
 * The entries of a bucket's list that stay where main goes on to `next`, which is none of them: an entry goes when `next` takes
 * back a part of what led to it. What is no distribution (a bucket that was not in the file) tells nothing, and stays.
 */
export function dropTakenBack(entries: readonly string[], next: string): readonly string[] {
  const after = readDistribution(next);
  if (after === undefined) return entries;
  const read = entries.map((text) => readDistribution(text));
  return entries.filter((_, index) => {
    const entry = read[index];
    if (entry === undefined) return true;
    return !read.slice(0, index).some((earlier) => earlier !== undefined && takesBack(earlier, entry, after));
  });
}
