import type { Facet } from "./facets.ts";

/** Numbers for facets: what is counted ten thousand times over must not be compared as text. */
export class FacetNumbers {
  readonly #numbers = new Map<Facet, number>();

  /** The facet's number; it gets one when it has none. */
  give(facet: Facet): number {
    const known = this.#numbers.get(facet);
    if (known !== undefined) return known;
    this.#numbers.set(facet, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  find(facet: Facet): number | undefined {
    return this.#numbers.get(facet);
  }

  [Symbol.iterator](): Iterator<[Facet, number]> {
    return this.#numbers.entries();
  }
}

/** Facet numbers, ascending, each followed by its count: most facets are nowhere in most of the fleet. */
export type FacetCounts = readonly number[];

/** Place of a facet's number in the counts, or -1. */
function findPlace(counts: FacetCounts, facet: number): number {
  let [low, high] = [0, counts.length / 2 - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = counts[2 * middle] ?? 0;
    if (found === facet) return 2 * middle;
    if (found < facet) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

export function countOf(counts: FacetCounts, facet: number): number {
  const place = findPlace(counts, facet);
  return place < 0 ? 0 : (counts[place + 1] ?? 0);
}

export function hasAny(counts: FacetCounts, facets: readonly number[]): boolean {
  for (const facet of facets) if (findPlace(counts, facet) >= 0) return true;
  return false;
}

/** After the last facet. */
const end = Number.MAX_SAFE_INTEGER;

function facetAt(counts: FacetCounts, used: number, place: number): number {
  return place < used ? (counts[place] ?? end) : end;
}

/** Writes both together into `sum`, and answers how much of it is used. */
function merge(a: FacetCounts, usedOfA: number, b: FacetCounts, sum: number[]): number {
  let [inA, inB, used] = [0, 0, 0];
  for (;;) {
    const [facetA, facetB] = [facetAt(a, usedOfA, inA), facetAt(b, b.length, inB)];
    const facet = Math.min(facetA, facetB);
    if (facet === end) return used;
    sum[used] = facet;
    let count = 0;
    if (facetA === facet) {
      count = a[inA + 1] ?? 0;
      inA += 2;
    }
    if (facetB === facet) {
      count += b[inB + 1] ?? 0;
      inB += 2;
    }
    sum[used + 1] = count;
    used += 2;
  }
}

// Sums are written here first: an array that grows while it is filled leaves three of its kind as garbage, at each of the
// hundreds of places that a look adds up anew.
const [first, second]: readonly [number[], number[]] = [[], []];
const nothing: FacetCounts = [];

/** All three together. */
export function addCounts(a: FacetCounts, b: FacetCounts | undefined, c: FacetCounts | undefined): FacetCounts {
  const used = merge(a, a.length, b ?? nothing, first);
  return second.slice(0, merge(first, used, c ?? nothing, second));
}

/** Counts of so many facets, some of them several times. */
export function countFacets(facets: readonly number[]): FacetCounts {
  const counts: number[] = [];
  for (const facet of facets.toSorted((a, b) => a - b)) {
    if (counts.at(-2) === facet) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    else counts.push(facet, 1);
  }
  return counts;
}
