import type { BucketChange, LedgerState, RunRecord } from "../ledger-state.ts";
import type { MainChange } from "./main-past.ts";

/** Main's first-parent history since the baseline. */
export interface MainHistory {
  /** By commit, its place; the baseline is 0. Empty when main does not contain the baseline. */
  readonly line: ReadonlyMap<string, number>;
  /** By commit, oldest first. */
  readonly changes: ReadonlyMap<string, MainChange>;
}

/** The ledger as main bears it out, and what the branch says otherwise. */
export interface ProvenLedger {
  readonly ledger: LedgerState;
  /** Paths in the branch that contradict main. */
  readonly foreign: readonly string[];
}

function isSameChange(a: BucketChange, b: BucketChange | undefined): boolean {
  return a.pattern === b?.pattern && a.from === b.from && a.to === b.to && a.direction === b.direction;
}

function isSameChanges(a: readonly BucketChange[], b: readonly BucketChange[]): boolean {
  const others = new Map(b.map((each) => [each.pattern, each]));
  return a.length === b.length && a.every((each) => isSameChange(each, others.get(each.pattern)));
}

/** Main said before the run what the record says, if not at the same commit: those that change nothing may lie between. */
function isBetween({ line }: MainHistory, change: MainChange, before: string): boolean {
  const [first, at, last] = [change.before, before, change.commit].map((sha) => line.get(sha) ?? Number.NaN);
  return first !== undefined && at !== undefined && last !== undefined && first <= at && at < last;
}

/** The run with main's own word on what it changes: from a record come only its progress and what people said to it. */
function proveRun(history: MainHistory, run: RunRecord): RunRecord {
  if (run.state === "gone") return run;
  const change = history.changes.get(run.commit);
  if (change === undefined || !change.commit.startsWith(run.id)) return { ...run, state: "gone" };
  const hasBefore = isBetween(history, change, run.before);
  const isSame = isSameChanges(run.changes, change.changes) && (run.reseeded === true) === change.reseeded;
  if (hasBefore && isSame) return run;
  const { reseeded: _, ...rest } = run;
  return {
    ...rest,
    before: hasBefore ? run.before : change.before,
    buckets: change.buckets,
    changes: change.changes,
    ...(change.reseeded ? { reseeded: true as const } : {}),
  };
}

/** What was judged last lies on main, and no run came after it: else the newest run, or the baseline. */
function proveJudged({ baseline, judged }: LedgerState, runs: readonly RunRecord[], { line }: MainHistory): string {
  const at = line.get(judged) ?? -1;
  const living = runs.filter(({ state }) => state !== "gone").map(({ commit }) => commit);
  const newest = living.reduce(
    (best, commit) => ((line.get(commit) ?? 0) > (line.get(best) ?? 0) ? commit : best),
    baseline.commit,
  );
  return at >= (line.get(newest) ?? 0) ? judged : newest;
}

/** In the order of main; a record keeps its number where the numbers are in that order anyway. */
function proveOrders(runs: readonly RunRecord[], { changes }: MainHistory, renumber: boolean): readonly RunRecord[] {
  const living = runs.filter(({ state }) => state !== "gone");
  const placeOf = ({ commit }: RunRecord): number => changes.get(commit)?.order ?? 0;
  const sorted = living.toSorted((a, b) => placeOf(a) - placeOf(b));
  const isInOrder = sorted.every((run, index) => index === 0 || run.order > (sorted[index - 1]?.order ?? 0));
  if (isInOrder && !renumber) return runs;
  return runs.map((run) => (run.state === "gone" ? run : { ...run, order: placeOf(run) }));
}

/**
 * Holds every record of the ledger against main's own history: what main had, in which order, and what a run changes is main's
 * word alone. A forged record of it is worth nothing: it makes no change a return (rules 2.1), and nothing goes back to it.
 */
export function proveLedger(state: LedgerState, history: MainHistory): ProvenLedger {
  const records = Object.values(state.runs);
  const proven = records.map((run) => proveRun(history, run));
  const judged = history.line.size === 0 ? state.main : proveJudged(state, proven, history);
  const end = history.line.get(judged) ?? 0;
  const recorded = new Set(records.map(({ commit }) => commit));
  const missing = [...history.changes.values()].filter(
    ({ commit }) => !recorded.has(commit) && (history.line.get(commit) ?? 0) <= end,
  );
  const runs = proveOrders(proven, history, missing.length > 0);
  const changed = runs.filter((run, index) => run !== records[index]);
  // One that is over may have vanished in a forced push that people agreed to.
  const lied = runs
    .filter((run, index) => run !== records[index] && (run.state !== "gone" || records[index]?.state === "open"))
    .map(({ id }) => `runs/${id}.json`);
  // Without a baseline on main no run is believed and nobody moves: that must have a name.
  const lost = history.line.size === 0 ? ["baseline"] : [];
  const foreign = [...lost, ...lied, ...(judged === state.judged ? [] : ["heads"])];
  const { unrecorded: before, ...branch } = state;
  if (changed.length === 0 && missing.length === 0 && foreign.length === 0)
    return { ledger: before === undefined ? state : branch, foreign };
  const named = Object.keys(state.runs).flatMap((id, index): [string, RunRecord][] => {
    const run = runs[index];
    return run === undefined ? [] : [[id, run]];
  });
  const unrecorded = missing.map(({ order, changes, reseeded }) => {
    return { order, changes, ...(reseeded ? { reseeded: true as const } : {}) };
  });
  const rest = missing.map(({ commit }) => `runs/${commit.slice(0, 12)}.json`);
  const own = unrecorded.length === 0 ? {} : { unrecorded };
  const ledger = { ...branch, judged, runs: Object.fromEntries(named), ...own };
  return { ledger, foreign: [...foreign, ...rest] };
}
