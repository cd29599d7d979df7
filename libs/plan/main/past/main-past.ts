import { compareBytes, printDistributions, type Rollouts, parseRollouts } from "#libs/rollouts";
import type { BucketChange } from "../../records/index.ts";
import { enterChanges, judgeAgainst } from "../rollbacks.ts";
import { builtInSettings, parseSettings } from "#libs/campaign";
import { rolloutsPath, settingsPath } from "../compile-spec.ts";

/** What a commit's two files say; undefined when one of them does not parse, or there is no `rollouts.yml`. */
export function readPoint(
  commit: string,
  rollouts: string | undefined,
  settings: string | undefined,
): Point | undefined {
  if (rollouts === undefined) return undefined;
  const parsed = parseRollouts(rollouts, rolloutsPath);
  if (!parsed.ok) return undefined;
  if (settings === undefined) return { commit, rollouts: parsed.value, seed: builtInSettings.seed };
  const read = parseSettings(settings, settingsPath);
  return read.ok ? { commit, rollouts: parsed.value, seed: read.value.seed } : undefined;
}

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

/** What one change made of the files, as they say it: which way it went is judged again from it. */
export interface PastStep {
  readonly commit: string;
  readonly seed: string;
  readonly buckets: readonly string[];
  /** Pattern and its distribution since; "" = not in the file any more. */
  readonly to: readonly (readonly [pattern: string, distribution: string])[];
}

/** Enough to go on from where a history was read to, without its files. */
export interface PastRecord {
  /** What the first commit that parses says; absent while none did. */
  readonly base?: Omit<PastStep, "buckets">;
  readonly steps: readonly PastStep[];
}

const printed = new WeakMap<Rollouts, ReadonlyMap<string, string>>();

/** Once for each file, though it is asked what differs, and then how. */
function print({ rollouts }: Point): ReadonlyMap<string, string> {
  const known = printed.get(rollouts) ?? printDistributions(rollouts);
  printed.set(rollouts, known);
  return known;
}

/**
 * What main has had since the baseline, told by its own first-parent history and never by the ledger, which may be forged.
 * Grows with main.
 */
export class MainPast {
  /** By commit, oldest first. */
  readonly changes: Map<string, MainChange> = new Map();
  readonly #lists = new Map<string, readonly string[]>();
  readonly #steps: PastStep[] = [];
  #base: PastRecord["base"];
  #said: ReadonlyMap<string, string> = new Map();
  #seed = "";
  #last: Point | undefined;

  /** `base`: the baseline; undefined when it does not parse, and then the first commit that does takes its place. */
  constructor(base: Point | undefined) {
    if (base !== undefined) this.#begin(base);
  }

  /** The same as reading all of that again; `last` is what its newest step says, or its base without one. */
  static recall({ base, steps }: PastRecord, last: Point | undefined): MainPast {
    const past = new MainPast(undefined);
    if (base === undefined) return past;
    past.#base = base;
    past.#said = new Map(base.to);
    past.#seed = base.seed;
    past.#last = last;
    let before = base.commit;
    for (const step of steps) {
      past.#enter(step, before);
      before = step.commit;
    }
    return past;
  }

  record(): PastRecord {
    return { ...(this.#base === undefined ? {} : { base: this.#base }), steps: this.#steps };
  }

  /** True when this commit would be a run, had its other files no error. */
  differs(point: Point): boolean {
    if (this.#last === undefined) return false;
    const now = print(point);
    return (
      this.#seed !== point.seed ||
      now.size !== this.#said.size ||
      [...now].some(([pattern, text]) => this.#said.get(pattern) !== text)
    );
  }

  /** The next commit of main whose files parse. */
  add(point: Point): void {
    const last = this.#last;
    if (last === undefined) this.#begin(point);
    if (last === undefined || !this.differs(point)) return;
    const now = print(point);
    const gone = [...this.#said.keys()].filter((pattern) => !now.has(pattern));
    const news = [...now].filter(([pattern, text]) => this.#said.get(pattern) !== text);
    const buckets =
      last.seed === point.seed
        ? [...news.map(([pattern]) => pattern), ...gone].toSorted(compareBytes)
        : point.rollouts.buckets.map(({ pattern }) => pattern);
    const to = [...news, ...gone.map((pattern) => [pattern, ""] as const)];
    this.#enter({ commit: point.commit, seed: point.seed, buckets, to }, last.commit);
    this.#last = point;
  }

  #begin(point: Point): void {
    this.#said = print(point);
    this.#seed = point.seed;
    this.#last = point;
    this.#base = { commit: point.commit, seed: point.seed, to: [...this.#said] };
  }

  #enter(step: PastStep, before: string): void {
    const { commit, seed, buckets } = step;
    const now = new Map(this.#said);
    for (const [pattern, text] of step.to) {
      if (text === "") now.delete(pattern);
      else now.set(pattern, text);
    }
    const reseeded = seed !== this.#seed;
    const changes = judgeAgainst(this.#lists, { said: this.#said, seed: this.#seed }, { said: now, seed });
    enterChanges(this.#lists, { changes, reseeded });
    const order = this.changes.size + 1;
    this.changes.set(commit, { commit, before, order, buckets, changes, reseeded });
    this.#steps.push(step);
    this.#said = now;
    this.#seed = seed;
  }
}
