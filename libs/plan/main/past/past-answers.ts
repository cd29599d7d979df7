import { type Bucket, compileRollouts, printDistributions, readDistribution, type Resolver } from "#libs/rollouts";

import type { LedgerState, Spec } from "../../records/index.ts";
import { listMovesToHead, type Move } from "../rollbacks.ts";

/** A commit's files, and the order of the newest run that they contain; 0 = the baseline. */
interface Anchor {
  readonly spec: Spec;
  readonly order: number;
}

/** A bucket's distribution from one run on; `era`: the number of earlier seeds. */
interface Said {
  readonly order: number;
  readonly era: number;
  readonly distribution: string;
}

function makeBucket(pattern: string, shares: Bucket["shares"]): Bucket {
  return { pattern, line: 1, column: 1, shares };
}

/** A file with this distribution for every namespace. */
function compileAlone(distribution: string, seed: string): Resolver | undefined {
  const weights = readDistribution(distribution);
  if (weights === undefined || weights.size === 0) return undefined;
  const shares = [...weights].map(([revision, weight]) => ({ revision, weight }));
  return compileRollouts({ buckets: [makeBucket("production", shares)] }, seed);
}

/** The distribution of every pattern at the baseline: those of the anchor, with the runs up to it undone. */
function goToBaseline(moves: readonly Move[], { spec, order }: Anchor): Map<string, string> {
  const said = new Map(printDistributions(spec.rollouts));
  for (const move of moves.toReversed()) {
    if (move.order > order) continue;
    for (const { pattern, from } of move.changes) said.set(pattern, from);
  }
  return said;
}

/**
 * The revisions that main wanted for single namespaces before, from the runs and the files of one commit. A namespace rolls
 * back when its desired revision is one that main wanted before and has not rolled back from since (rules 2.1); anything else
 * is forward for it, whatever its bucket does.
 */
export class PastAnswers {
  readonly #moves: readonly Move[];
  readonly #base: ReadonlyMap<string, string>;
  readonly #patterns: Resolver;
  /** By era. Where a seed is unknown only unsplit buckets can be resolved. */
  readonly #seeds = new Map<number, string>();
  readonly #said = new Map<string, readonly Said[]>();
  readonly #compiled = new Map<string, Resolver | undefined>();

  constructor(ledger: LedgerState, anchor: Anchor, head: Spec | undefined) {
    this.#moves = listMovesToHead(ledger);
    this.#base = goToBaseline(this.#moves, anchor);
    const patterns = new Set(["production", ...this.#base.keys()]);
    for (const { changes } of this.#moves) for (const { pattern } of changes) patterns.add(pattern);
    const shares = [{ revision: "any", weight: 100 }];
    this.#patterns = compileRollouts({ buckets: [...patterns].map((pattern) => makeBucket(pattern, shares)) }, "");
    const countEras = (order: number): number =>
      this.#moves.filter((m) => m.reseeded === true && m.order <= order).length;
    if (head !== undefined) this.#seeds.set(countEras(Number.POSITIVE_INFINITY), head.settings.seed);
    this.#seeds.set(countEras(anchor.order), anchor.spec.settings.seed);
  }

  /** The distribution that applies to a namespace with these patterns, run by run: that of the first pattern that exists. */
  #listSaid(patterns: readonly string[]): readonly Said[] {
    const key = JSON.stringify(patterns);
    const known = this.#said.get(key);
    if (known !== undefined) return known;
    const now = new Map(patterns.map((pattern) => [pattern, this.#base.get(pattern) ?? ""]));
    const read = (): string => patterns.map((pattern) => now.get(pattern) ?? "").find((text) => text !== "") ?? "";
    const said: Said[] = [{ order: 0, era: 0, distribution: read() }];
    let era = 0;
    for (const { order, changes, reseeded } of this.#moves) {
      if (reseeded === true) era += 1;
      for (const { pattern, to } of changes) if (now.has(pattern)) now.set(pattern, to);
      const distribution = read();
      const last = said.at(-1);
      if (last?.distribution !== distribution || last.era !== era) said.push({ order, era, distribution });
    }
    this.#said.set(key, said);
    return said;
  }

  #answer(namespace: string, { distribution, era }: Said): string | undefined {
    const seed = this.#seeds.get(era);
    if (seed === undefined && readDistribution(distribution)?.size !== 1) return undefined;
    const key = `${era} ${distribution}`;
    if (!this.#compiled.has(key)) this.#compiled.set(key, compileAlone(distribution, seed ?? ""));
    return this.#compiled.get(key)?.resolve(namespace).revision;
  }

  /**
   * The revisions that main wanted before that run, without those that it rolled back from; the last one is the present one.
   * Undefined where it is unknown: a split bucket under an unknown seed.
   */
  list(namespace: string, until = Number.POSITIVE_INFINITY): readonly string[] | undefined {
    const patterns = this.#patterns.matches(namespace).map(({ pattern }) => pattern);
    let had: readonly string[] = [];
    for (const said of this.#listSaid(patterns)) {
      if (said.order >= until) break;
      const answer = this.#answer(namespace, said);
      if (answer === undefined) return undefined;
      const index = had.indexOf(answer);
      had = index < 0 ? [...had, answer] : had.slice(0, index + 1);
    }
    return had;
  }

  /** Whether a namespace with this desired revision after that run would go forward, as far as the runs show. */
  isForward(namespace: string, revision: string, until?: number): boolean {
    return this.list(namespace, until)?.includes(revision) === false;
  }
}
