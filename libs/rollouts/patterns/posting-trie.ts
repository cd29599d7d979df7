import { NameTrie } from "./name-trie.ts";
import { type Guard, passesGuard, type WholeNameRegex } from "./residue.ts";

/** A pattern that a name may match once it has the text under which the posting is filed. */
export interface Posting {
  /** Place in the order of winning: the smallest wins. */
  readonly rank: number;
  /** Absent = that text alone is proof (`.*-x`, `x-.*`). */
  readonly test: { readonly guard: Guard; readonly regex: WholeNameRegex } | undefined;
}

/** No pattern at all: greater than every rank. */
export const NO_RANK = 0x7fff_ffff;

/** Files patterns under the text that names end with (`suffix`) or begin with (`prefix`). */
export class PostingTrie {
  readonly #trie = new NameTrie();
  readonly #side: "prefix" | "suffix";
  readonly #postings: (Posting[] | undefined)[] = [undefined];

  constructor(side: "prefix" | "suffix") {
    this.#side = side;
  }

  /** Ranks must come in ascending order: the first posting that holds is then the best of its node. */
  add(text: string, posting: Posting): void {
    let node = NameTrie.root;
    for (let step = 0; step < text.length; step++) {
      node = this.#trie.grow(node, text.charCodeAt(this.#side === "prefix" ? step : text.length - 1 - step));
      if (node === this.#postings.length) this.#postings.push(undefined);
    }
    const here = this.#postings[node];
    if (here === undefined) this.#postings[node] = [posting];
    else here.push(posting);
  }

  /** The smallest rank below `bound` of a pattern that matches, else `bound`. Allocates nothing. */
  findBest(name: string, bound: number): number {
    const { length } = name;
    const isPrefix = this.#side === "prefix";
    let best = bound;
    let node = NameTrie.root;
    for (let step = 0; ; step++) {
      const here = this.#postings[node];
      if (here !== undefined) best = findFirst(here, name, best);
      if (step === length) return best;
      node = this.#trie.next(node, name.charCodeAt(isPrefix ? step : length - 1 - step));
      if (node === NameTrie.root) return best;
    }
  }

  /** Adds the rank of every pattern that matches; one that is filed more than once may come more than once. */
  collect(name: string, into: Set<number>): void {
    let node = NameTrie.root;
    for (let step = 0; ; step++) {
      collectAll(this.#postings[node] ?? [], name, into);
      if (step === name.length) return;
      node = this.#trie.next(node, name.charCodeAt(this.#side === "prefix" ? step : name.length - 1 - step));
      if (node === NameTrie.root) return;
    }
  }
}

/** The rank of the first posting that holds, if it is below `bound`; else `bound`. `postings` ascend by rank. */
export function findFirst(postings: readonly Posting[], name: string, bound: number): number {
  for (const posting of postings) {
    if (posting.rank >= bound) return bound;
    if (holds(posting, name)) return posting.rank;
  }
  return bound;
}

/** Adds the ranks of all postings that hold. */
export function collectAll(postings: readonly Posting[], name: string, into: Set<number>): void {
  for (const posting of postings) {
    if (holds(posting, name)) into.add(posting.rank);
  }
}

function holds({ test }: Posting, name: string): boolean {
  if (test === undefined) return true;
  return passesGuard(test.guard, name) && (test.guard.isProof || test.regex.matches(name));
}
