import { findNamed } from "#libs/input";
import { printDistributions } from "#libs/rollouts";
import type { RollbackRefusal } from "#libs/wording";

import type { LedgerState, MainFacts, RunRecord, Spec } from "../records/index.ts";
import { isCutOff, listForwardBuckets, listOverwritten, listUndoable } from "../main/index.ts";
import { type ActiveStop, findRun } from "./stops.ts";

/** A rollback that is in force before main says so: `revertTo`'s answer is desired for the run's buckets (rules 2.4). */
export interface Revert {
  readonly run: RunRecord;
  readonly to: Spec;
  readonly buckets: ReadonlySet<string>;
  /** Stops that were placed later may hold it (rules 2.3). */
  readonly since: string;
}

/** Main stood there between the baseline and the run, as far as the ledger tells: nothing else is a way back of that run. */
function isBeforeRun({ baseline, runs }: LedgerState, run: RunRecord, commit: string): boolean {
  if (commit === run.before || commit === baseline.commit) return true;
  const earlier = Object.values(runs).filter((each) => each.order < run.order && each.state !== "gone");
  return earlier.some((each) => each.before === commit || each.commit === commit);
}

/** Buckets that are rolled back with these files. */
function listReachable(ledger: LedgerState, run: RunRecord, to: Spec): readonly string[] {
  return to.commit === run.before
    ? listUndoable(ledger, run)
    : listOverwritten(ledger, run, printDistributions(to.rollouts));
}

/** Where a rollback goes. */
export interface RollbackTarget {
  readonly commit: string;
  /** Its files, where they are read. */
  readonly to: Spec | undefined;
  /** At once, before a pull request says so. */
  readonly now: boolean;
}

/** Why a run is not rolled back to that commit, no matter who requests it; undefined when it may be. */
export function refuseTarget(
  { vanished }: Pick<MainFacts, "vanished">,
  ledger: LedgerState,
  run: RunRecord,
  { commit, to, now }: RollbackTarget,
): RollbackRefusal | undefined {
  if (vanished.includes(commit) || !isBeforeRun(ledger, run, commit))
    return { code: "NeverOnMain", run: run.id, commit };
  if (commit === run.before)
    return now && listUndoable(ledger, run).length === 0 ? { code: "ForwardAtOnce", run: run.id } : undefined;
  if (to === undefined || listReachable(ledger, run, to).length > 0) return undefined;
  return { code: "RolledBackSince", run: run.id, commit };
}

/** Runs that are rolled back at once, whatever their state. */
export function findRevertedRun(
  stop: Pick<ActiveStop, "scope" | "revertTo" | "now">,
  ledger: LedgerState | undefined,
): RunRecord | undefined {
  if (stop.revertTo === undefined || stop.now !== true) return undefined;
  const run = findRun(ledger, stop.scope);
  if (ledger === undefined || run === undefined || run.state === "gone") return undefined;
  return isBeforeRun(ledger, run, stop.revertTo) ? run : undefined;
}

/**
 * The reverts in force, the furthest back first: with two on one bucket a person wants what was before both. A commit that
 * this process has not read yet reverts nothing; its stop still holds the run.
 */
export function listReverts(
  stops: readonly ActiveStop[],
  ledger: LedgerState | undefined,
  specs: ReadonlyMap<string, Spec>,
): readonly Revert[] {
  const reverts: Revert[] = [];
  for (const stop of stops) {
    const run = findRevertedRun(stop, ledger);
    const to = specs.get(stop.revertTo ?? "");
    if (ledger === undefined || run === undefined || to === undefined) continue;
    if (reverts.some((each) => each.run.id === run.id && each.to === to)) continue;
    const then = printDistributions(to.rollouts);
    // Main was rolled back further in the meantime: going to what it left behind would be forward.
    const buckets = listReachable(ledger, run, to).filter((name) => !isCutOff(ledger, run, name, then.get(name) ?? ""));
    reverts.push({ run, to, buckets: new Set(buckets), since: stop.at });
  }
  return reverts.toSorted((a, b) => a.run.order - b.run.order);
}

/**
 * Runs whose rollback at once was in force when this run began, or is still: where it brings workloads back, it says in main what a
 * person asked for already, and asks for nothing new (rules 2.4, 5.5).
 */
export function listContinued({ stops }: LedgerState, { startedAt }: RunRecord): readonly string[] {
  return Object.values(stops).flatMap(({ scope, revertTo, now, resume }) => {
    const run = revertTo !== undefined && now === true ? findNamed("run", scope) : undefined;
    return run !== undefined && (resume === undefined || resume.at >= startedAt) ? [run] : [];
  });
}

/** A pattern that comes or goes moves namespaces from one bucket to another: every other bucket may be concerned. */
function hasSplit({ changes }: RunRecord): boolean {
  return changes.some(({ from, to }) => from === "" || to === "");
}

/**
 * The rollback in force that may keep namespaces of this run where they are: as long as it does, nothing being left of
 * the run says nothing about it (rules 3.2: a stop never ends a run).
 */
export function findRevertOver<S extends Pick<ActiveStop, "scope" | "revertTo" | "now">>(
  run: RunRecord,
  stops: readonly S[],
  ledger: LedgerState,
): S | undefined {
  return stops.find((stop) => {
    const reverted = findRevertedRun(stop, ledger);
    if (reverted === undefined) return false;
    const buckets = listForwardBuckets(reverted);
    const isShared = run.buckets.some((pattern) => buckets.includes(pattern));
    return isShared || reverted.id === run.id || hasSplit(run) || hasSplit(reverted);
  });
}

export function isUnderRevert(...question: Parameters<typeof findRevertOver>): boolean {
  return findRevertOver(...question) !== undefined;
}

/**
 * True when main says of the run's buckets what `to` says, or was rolled back further still: the rollback is through,
 * as far as files go.
 */
export function isSaidByMain(ledger: LedgerState, run: RunRecord, head: Spec, to: Spec): boolean {
  const [now, then] = [printDistributions(head.rollouts), printDistributions(to.rollouts)];
  return listForwardBuckets(run).every((pattern) => {
    const wanted = then.get(pattern) ?? "";
    return (now.get(pattern) ?? "") === wanted || isCutOff(ledger, run, pattern, wanted);
  });
}

/**
 * A rollback that main does not say yet holds the buckets that it undoes, also where its run's commit vanished since. Buckets that
 * its run took a part back of it does not undo: there it goes forward, and does not hold what it proposes.
 */
export function holdsByRollback(
  { revertTo, scope }: ActiveStop,
  ledger: LedgerState | undefined,
  forward: ReadonlySet<string>,
): boolean {
  const run = revertTo === undefined ? undefined : findRun(ledger, scope);
  if (ledger === undefined || run === undefined) return false;
  const held = revertTo === run.before ? listUndoable(ledger, run) : listForwardBuckets(run);
  return held.some((pattern) => forward.has(pattern));
}

/** Runs that still have a workload to move: open ones, and those that are rolled back at once. Oldest first. */
export function listServedRuns(ledger: LedgerState | undefined, stops: readonly ActiveStop[]): readonly RunRecord[] {
  const reverted = new Set(stops.map((stop) => findRevertedRun(stop, ledger)?.id));
  return Object.values(ledger?.runs ?? {})
    .filter((run) => run.state === "open" || reverted.has(run.id))
    .toSorted((a, b) => a.order - b.order);
}
