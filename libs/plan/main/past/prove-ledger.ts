import type { BucketChange, LedgerState, RunRecord, Decision, Snapshot } from "../../records/index.ts";
import type { MainChange } from "./main-past.ts";

/** Files of the ledger branch that main contradicts: they do not count, and people read who may have written them. */
export function nameForeignRecords({ main }: Snapshot): readonly Extract<Decision, { readonly kind: "wait" }>[] {
  const { foreign = [] } = main;
  return foreign.length === 0
    ? []
    : [{ kind: "wait", scope: "all", reason: { code: "LedgerForeign", files: foreign } }];
}

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

/** Of no change of main: its commit lies on main, and it changes nothing there. */
function proveConverge({ line }: MainHistory, run: RunRecord): RunRecord {
  const isHonest = line.has(run.commit) && run.before === run.commit && run.changes.length === 0;
  return isHonest && run.reseeded === undefined ? run : { ...run, state: "gone" };
}

/** The run with main's own word on what it changes: from a record come only its progress and what people said to it. */
function proveRun(history: MainHistory, run: RunRecord): RunRecord {
  if (run.state === "gone") return run;
  if (run.converge !== undefined) return proveConverge(history, run);
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
  const living = runs.filter(isOfMain).map(({ commit }) => commit);
  const newest = living.reduce(
    (best, commit) => ((line.get(commit) ?? 0) > (line.get(best) ?? 0) ? commit : best),
    baseline.commit,
  );
  return at >= (line.get(newest) ?? 0) ? judged : newest;
}

function isOfMain({ state, converge }: RunRecord): boolean {
  return state !== "gone" && converge === undefined;
}

/** The number of the newest change at the commit: what was asked on top of it has the same. */
function findPlace({ changes, line }: MainHistory, { commit }: RunRecord): number {
  const own = changes.get(commit);
  if (own !== undefined) return own.order;
  const end = line.get(commit) ?? 0;
  const before = [...changes.values()].filter((change) => (line.get(change.commit) ?? 0) <= end);
  return before.at(-1)?.order ?? 0;
}

/** In the order of main; a record keeps its number where the numbers are in that order anyway. */
function proveOrders(runs: readonly RunRecord[], history: MainHistory, renumber: boolean): readonly RunRecord[] {
  const living = runs.filter(isOfMain);
  const placeOf = (run: RunRecord): number => findPlace(history, run);
  const sorted = living.toSorted((a, b) => placeOf(a) - placeOf(b));
  const isInOrder = sorted.every((run, index) => index === 0 || run.order > (sorted[index - 1]?.order ?? 0));
  if (isInOrder && !renumber) return runs;
  return runs.map((run) => (run.state === "gone" ? run : { ...run, order: placeOf(run) }));
}

type Move = NonNullable<LedgerState["ahead"]>[number];

function pickMove({ changes, reseeded }: MainChange, order: number): Move {
  return { order, changes, ...(reseeded ? { reseeded: true as const } : {}) };
}

/** What main changed after its commit number `end`, in the order in which it will be runs. */
function listAhead(
  { changes, line }: MainHistory,
  end: number,
  before: readonly { readonly order: number }[],
): readonly Move[] {
  const newest = Math.max(0, ...before.map(({ order }) => order));
  const later = [...changes.values()].filter(({ commit }) => (line.get(commit) ?? 0) > end);
  return later.map((change, index) => pickMove(change, newest + index + 1));
}

/** What the branch says, without what an earlier proof added. */
function dropOwn(state: LedgerState): LedgerState {
  if (state.unrecorded === undefined && state.ahead === undefined) return state;
  const { unrecorded: _, ahead: __, ...branch } = state;
  return branch;
}

/** What main's own history adds to the branch. */
function pickOwn(missing: readonly MainChange[], ahead: readonly Move[]): Pick<LedgerState, "unrecorded" | "ahead"> {
  const unrecorded = missing.map((change) => pickMove(change, change.order));
  return { ...(unrecorded.length === 0 ? {} : { unrecorded }), ...(ahead.length === 0 ? {} : { ahead }) };
}

/** Changes of main up to its commit number `end` that no record is of. */
function listMissing(
  records: readonly RunRecord[],
  { changes, line }: MainHistory,
  end: number,
): readonly MainChange[] {
  const recorded = new Set(records.flatMap(({ commit, converge }) => (converge === undefined ? [commit] : [])));
  return [...changes.values()].filter(({ commit }) => !recorded.has(commit) && (line.get(commit) ?? 0) <= end);
}

/**
 * Holds every record of the ledger against main's own history: what main had, in which order, and what a run changes is main's
 * word alone. A forged record of it is worth nothing: it makes no change a rollback (rules 2.1), and nothing is rolled back to it.
 */
export function proveLedger(state: LedgerState, history: MainHistory): ProvenLedger {
  const records = Object.values(state.runs);
  const proven = records.map((run) => proveRun(history, run));
  const judged = history.line.size === 0 ? state.main : proveJudged(state, proven, history);
  const end = history.line.get(judged) ?? 0;
  const missing = listMissing(records, history, end);
  const runs = proveOrders(proven, history, missing.length > 0);
  const changed = runs.filter((run, index) => run !== records[index]);
  // One that is over may have vanished in a forced push that people agreed to.
  const lied = runs
    .filter((run, index) => run !== records[index] && (run.state !== "gone" || records[index]?.state === "open"))
    .map(({ id }) => `runs/${id}.json`);
  // Without a baseline on main no run is believed and no workload moves: that must have a name.
  const lost = history.line.size === 0 ? ["baseline"] : [];
  const foreign = [...lost, ...lied, ...(judged === state.judged ? [] : ["heads"])];
  const ahead = listAhead(history, end, [...runs, ...missing]);
  if ([changed, missing, foreign, ahead].every(({ length }) => length === 0))
    return { ledger: dropOwn(state), foreign };
  const named = Object.keys(state.runs).flatMap((id, index): [string, RunRecord][] => {
    const run = runs[index];
    return run === undefined ? [] : [[id, run]];
  });
  const rest = missing.map(({ commit }) => `runs/${commit.slice(0, 12)}.json`);
  const ledger = { ...dropOwn(state), judged, runs: Object.fromEntries(named), ...pickOwn(missing, ahead) };
  return { ledger, foreign: [...foreign, ...rest] };
}
