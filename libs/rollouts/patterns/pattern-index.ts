import type { Branch } from "./branch.ts";
import { compareBytes } from "../source/byte-order.ts";
import { listBranches } from "./pattern-branches.ts";
import { collectAll, findFirst, NO_RANK, type Posting, PostingTrie } from "./posting-trie.ts";
import { findGuard, type Guard, WholeNameRegex } from "./residue.ts";

/**
 * The order in which patterns win, best first: the longer text as written (UTF-16 units; patterns are ASCII, so units, characters and
 * bytes are the same), at equal length the smaller in byte order.
 */
export function comparePatterns(a: string, b: string): number {
  return b.length - a.length || compareBytes(a, b);
}

/** Looks names up in many patterns at once. Both answers are indexes into the list that was compiled. */
export interface PatternIndex {
  /** The best of the patterns that match the whole name; undefined when none does. */
  findBest(name: string): number | undefined;
  /** All that match, best first. */
  findAll(name: string): readonly number[];
}

/**
 * Compiles patterns, listed best first (`comparePatterns`). Names, suffixes (`.*-x`) and prefixes (`x-.*`) are looked up; only the rest
 * meets a regular expression, and only for names that have the plain text which the pattern demands.
 */
export function compilePatterns(patterns: readonly string[]): PatternIndex {
  return new BranchIndex(patterns);
}

/** One branch of a pattern, and where it belongs. */
interface Entry {
  readonly rank: number;
  readonly place: "exact" | "suffix" | "prefix" | "residue";
  readonly guard: Guard;
}

class BranchIndex implements PatternIndex {
  readonly #regexes: readonly WholeNameRegex[];
  readonly #exact = new Map<string, number[]>();
  readonly #suffixes = new PostingTrie("suffix");
  readonly #prefixes = new PostingTrie("prefix");
  /** Patterns without any text at either end: each name meets each of them. */
  readonly #anywhere: Posting[] = [];

  constructor(patterns: readonly string[]) {
    this.#regexes = patterns.map((pattern) => new WholeNameRegex(pattern));
    const entries = patterns.flatMap((pattern, rank) => listBranches(pattern).map((branch) => makeEntry(rank, branch)));
    const popularity = countEnds(entries);
    // In ascending order of rank, as the tries want it.
    for (const entry of entries) this.#file(entry, popularity);
  }

  findBest(name: string): number | undefined {
    let best = this.#exact.get(name)?.[0] ?? NO_RANK;
    best = this.#suffixes.findBest(name, best);
    best = this.#prefixes.findBest(name, best);
    best = findFirst(this.#anywhere, name, best);
    return best === NO_RANK ? undefined : best;
  }

  findAll(name: string): readonly number[] {
    const ranks = new Set(this.#exact.get(name));
    this.#suffixes.collect(name, ranks);
    this.#prefixes.collect(name, ranks);
    collectAll(this.#anywhere, name, ranks);
    return [...ranks].toSorted((a, b) => a - b);
  }

  #file(entry: Entry, popularity: Popularity): void {
    const { rank, place, guard } = entry;
    switch (place) {
      case "exact":
        return append(this.#exact, guard.prefix, rank);
      case "suffix":
        return this.#suffixes.add(guard.suffix, { rank, test: undefined });
      case "prefix":
        return this.#prefixes.add(guard.prefix, { rank, test: undefined });
      case "residue":
        return this.#fileResidue(entry, popularity);
    }
  }

  /** Under the rarer of its two ends: a hundred patterns that end with `-staging` would all be tried for each name that does. */
  #fileResidue({ rank, guard }: Entry, popularity: Popularity): void {
    const regex = this.#regexes[rank];
    if (regex === undefined) return;
    const posting: Posting = { rank, test: { guard, regex } };
    if (guard.prefix === "" && guard.suffix === "") this.#anywhere.push(posting);
    else if (isPrefixRarer(guard, popularity)) this.#prefixes.add(guard.prefix, posting);
    else this.#suffixes.add(guard.suffix, posting);
  }
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function makeEntry(rank: number, branch: Branch): Entry {
  return { rank, place: findPlace(branch), guard: findGuard(branch) };
}

function findPlace(branch: Branch): Entry["place"] {
  const shape = branch.map(({ kind }) => kind).join(" ");
  if (shape === "" || shape === "text") return "exact";
  if (shape === "any" || shape === "any text") return "suffix";
  return shape === "text any" ? "prefix" : "residue";
}

/** How many branches of the residue begin and end with each text. */
interface Popularity {
  readonly prefixes: ReadonlyMap<string, number>;
  readonly suffixes: ReadonlyMap<string, number>;
}

function countEnds(entries: readonly Entry[]): Popularity {
  const prefixes = new Map<string, number>();
  const suffixes = new Map<string, number>();
  for (const { place, guard } of entries) {
    if (place !== "residue") continue;
    prefixes.set(guard.prefix, (prefixes.get(guard.prefix) ?? 0) + 1);
    suffixes.set(guard.suffix, (suffixes.get(guard.suffix) ?? 0) + 1);
  }
  return { prefixes, suffixes };
}

function isPrefixRarer({ prefix, suffix }: Guard, { prefixes, suffixes }: Popularity): boolean {
  if (prefix === "" || suffix === "") return suffix === "";
  const difference = (prefixes.get(prefix) ?? 0) - (suffixes.get(suffix) ?? 0);
  return difference === 0 ? prefix.length > suffix.length : difference < 0;
}
