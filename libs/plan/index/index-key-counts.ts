/**
 * Numbers of index keys, ascending, each followed by its count. Sparse, because most of the fleet has few of the index keys.
 */
export type IndexKeyCounts = readonly number[];

/** Place of an index key's number in the counts, or -1. */
function findPlace(counts: IndexKeyCounts, indexKey: number): number {
  let [low, high] = [0, counts.length / 2 - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = counts[2 * middle] ?? 0;
    if (found === indexKey) return 2 * middle;
    if (found < indexKey) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

export function countOf(counts: IndexKeyCounts, indexKey: number): number {
  const place = findPlace(counts, indexKey);
  return place < 0 ? 0 : (counts[place + 1] ?? 0);
}

export function hasAny(counts: IndexKeyCounts, indexKeys: readonly number[]): boolean {
  for (const indexKey of indexKeys) if (findPlace(counts, indexKey) >= 0) return true;
  return false;
}

/** After the last index key. */
const end = Number.MAX_SAFE_INTEGER;

function indexKeyAt(counts: IndexKeyCounts, used: number, place: number): number {
  return place < used ? (counts[place] ?? end) : end;
}

/** Writes the sum of both into `sum`. Returns how much of it is used. */
function merge(a: IndexKeyCounts, usedOfA: number, b: IndexKeyCounts, sum: number[]): number {
  let inA = 0;
  let inB = 0;
  let used = 0;
  for (;;) {
    const indexKeyA = indexKeyAt(a, usedOfA, inA);
    const indexKeyB = indexKeyAt(b, b.length, inB);
    const indexKey = Math.min(indexKeyA, indexKeyB);
    if (indexKey === end) return used;
    sum[used] = indexKey;
    let count = 0;
    if (indexKeyA === indexKey) {
      count = a[inA + 1] ?? 0;
      inA += 2;
    }
    if (indexKeyB === indexKey) {
      count += b[inB + 1] ?? 0;
      inB += 2;
    }
    sum[used + 1] = count;
    used += 2;
  }
}

/**
 * Adds counts. Sums are first written into two reused arrays: an array that grows while it is filled leaves garbage at each of
 * the hundreds of nodes that a reconcile adds up again.
 */
export class CountAdder {
  readonly #first: number[] = [];
  readonly #second: number[] = [];

  /** All three together. */
  add(a: IndexKeyCounts, b: IndexKeyCounts | undefined, c: IndexKeyCounts | undefined): IndexKeyCounts {
    const [more, most] = b === undefined ? [c, undefined] : [b, c];
    if (more === undefined) return a;
    const used = merge(a, a.length, more, this.#first);
    if (most === undefined) return this.#first.slice(0, used);
    return this.#second.slice(0, merge(this.#first, used, most, this.#second));
  }
}

/** The counts of these index keys, of which some may be repeated. */
export function countIndexKeys(indexKeys: readonly number[]): IndexKeyCounts {
  const counts: number[] = [];
  for (const indexKey of indexKeys.toSorted((a, b) => a - b)) {
    if (counts.at(-2) === indexKey) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    else counts.push(indexKey, 1);
  }
  return counts;
}
