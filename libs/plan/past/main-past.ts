import { changedBuckets, printDistributions, type Rollouts, sameRollouts } from "#libs/spec";

import type { BucketChange } from "../ledger-state.ts";
import { enterChanges, judgeAgainst } from "../returns.ts";

/** What a commit of main says, as far as it tells a run from no run. */
export interface Point {
  readonly commit: string;
  readonly rollouts: Rollouts;
  readonly seed: string;
}

/** A commit after which the parsed file or the seed differs, by main's files alone. */
export interface MainChange {
  readonly commit: string;
  /** The commit that it is compared with: the baseline, or the change before it. */
  readonly before: string;
  /** 1 = the oldest. */
  readonly order: number;
  readonly buckets: readonly string[];
  readonly changes: readonly BucketChange[];
  readonly reseeded: boolean;
}

/**
 * What main has had since the baseline, told by its own first-parent history and never by the ledger, which may be forged.
 * Grows with main.
 */
export class MainPast {
  /** By commit, oldest first. */
  readonly changes: Map<string, MainChange> = new Map();
  readonly #lists = new Map<string, readonly string[]>();
  #last: Point | undefined;

  /** `base`: the baseline; undefined when it does not parse, and then the first commit that does takes its place. */
  constructor(base: Point | undefined) {
    this.#last = base;
  }

  /** True when this commit would be a run, had its other files no error. */
  differs(point: Point): boolean {
    return (
      this.#last !== undefined && (this.#last.seed !== point.seed || !sameRollouts(this.#last.rollouts, point.rollouts))
    );
  }

  /** The next commit of main whose files parse. */
  add(point: Point): void {
    const last = this.#last;
    if (last === undefined || this.differs(point)) this.#last = point;
    if (last === undefined || this.#last === last) return;
    const reseeded = last.seed !== point.seed;
    const sides = [last, point].map(({ rollouts, seed }) => ({ said: printDistributions(rollouts), seed }));
    const [old, now] = sides;
    if (old === undefined || now === undefined) return;
    const changes = judgeAgainst(this.#lists, old, now);
    enterChanges(this.#lists, { changes, reseeded });
    const buckets = reseeded
      ? point.rollouts.buckets.map(({ pattern }) => pattern)
      : changedBuckets(last.rollouts, point.rollouts);
    const order = this.changes.size + 1;
    this.changes.set(point.commit, { commit: point.commit, before: last.commit, order, buckets, changes, reseeded });
  }
}
