import { findNamed } from "#libs/input";
import { printDistributions } from "#libs/rollouts";
import type { RollbackRefusal } from "#libs/wording";

import type { LedgerState, MainFacts, RunRecord, Spec } from "../records/index.ts";
import {
  changesPatterns,
  wasRolledBackFrom,
  listForwardBuckets,
  listBucketsRolledBackTo,
  listUndoable,
} from "../main/index.ts";
import { type ActiveStop, findRun } from "./stops.ts";

/**
 * A rollback with `--now`, in force before main says the same: the revision in `to` is desired for the run's buckets (rules
 * 2.4).
 */
export interface Revert {
  readonly run: RunRecord;
  readonly to: Spec;
  readonly buckets: ReadonlySet<string>;
  /** When it was requested, ISO; stops that were placed later may hold it (rules 2.3). */
  readonly since: string;
}

/**
 * Whether main was at this commit between the baseline and the run, by the ledger. A run can be rolled back only to such a
 * commit.
 */
function isBeforeRun({ baseline, runs }: LedgerState, run: RunRecord, commit: string): boolean {
  if (commit === run.before || commit === baseline.commit) return true;
  const earlier = Object.values(runs).filter((each) => each.order < run.order && each.state !== "gone");
  return earlier.some((each) => each.before === commit || each.commit === commit);
}

/** The run's buckets for which these files are a rollback. */
function listReachable(ledger: LedgerState, run: RunRecord, to: Spec): readonly string[] {
  return to.commit === run.before
    ? listUndoable(ledger, run)
    : listBucketsRolledBackTo(ledger, run, printDistributions(to.rollouts));
}

/** The target of a rollback. */
export interface RollbackTarget {
  readonly commit: string;
  /** The files of `commit`; undefined while they were not read. */
  readonly to: Spec | undefined;
  /** Roll back at once, before a pull request is merged. */
  readonly now: boolean;
}

/** Why a run cannot be rolled back to that commit, for any caller; undefined when it can. */
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

/** Whether the stop is a rollback with `--now`. */
export function isRollbackNow({ revertTo, now }: Pick<ActiveStop, "revertTo" | "now">): boolean {
  return revertTo !== undefined && now === true;
}

/** The run that this stop rolls back at once, whatever the run's state; undefined for other stops. */
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
 * The rollbacks in force, the oldest run first: with two on one bucket the one that goes back further counts. One whose commit
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
    // Main was rolled back further meanwhile, so this distribution would be forward again.
    const buckets = listReachable(ledger, run, to).filter(
      (name) => !wasRolledBackFrom(ledger, run, name, then.get(name) ?? ""),
    );
    reverts.push({ run, to, buckets: new Set(buckets), since: stop.at });
  }
  return reverts.toSorted((a, b) => a.run.order - b.run.order);
}

/**
 * Runs whose `rollback --now` was in force when this run began, or later. Where this run rolls workloads back, it only merges
 * what a person has already requested (rules 2.4, 5.5).
 */
export function listContinued({ stops }: LedgerState, { startedAt }: RunRecord): readonly string[] {
  return Object.values(stops).flatMap((stop) => {
    const { scope, resume } = stop;
    const run = isRollbackNow(stop) ? findNamed("run", scope) : undefined;
    return run !== undefined && (resume === undefined || resume.at >= startedAt) ? [run] : [];
  });
}

/**
 * The rollback in force that may keep namespaces of this run where they are. While it does, an empty list of workloads does not
 * mean that the run is over (rules 3.2: a stop never ends a run).
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
    return isShared || reverted.id === run.id || changesPatterns(run) || changesPatterns(reverted);
  });
}

export function isUnderRevert(...question: Parameters<typeof findRevertOver>): boolean {
  return findRevertOver(...question) !== undefined;
}

/**
 * Whether main says of the run's buckets what `to` says, or was rolled back even further: nothing is left to merge for the
 * rollback.
 */
export function isSaidByMain(ledger: LedgerState, run: RunRecord, head: Spec, to: Spec): boolean {
  const [now, then] = [printDistributions(head.rollouts), printDistributions(to.rollouts)];
  return listForwardBuckets(run).every((pattern) => {
    const wanted = then.get(pattern) ?? "";
    return (now.get(pattern) ?? "") === wanted || wasRolledBackFrom(ledger, run, pattern, wanted);
  });
}

/**
 * Whether a requested rollback that is not merged yet holds one of these forward buckets, also when its run's commit vanished
 * since. Buckets that the run moved forward by taking back a part of an earlier change are not undone, so they are not held.
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

/** Runs that still have workloads to move: open ones, and those that are rolled back at once. Oldest first. */
export function listServedRuns(ledger: LedgerState | undefined, stops: readonly ActiveStop[]): readonly RunRecord[] {
  const reverted = new Set(stops.map((stop) => findRevertedRun(stop, ledger)?.id));
  return Object.values(ledger?.runs ?? {})
    .filter((run) => run.state === "open" || reverted.has(run.id))
    .toSorted((a, b) => a.order - b.order);
}
