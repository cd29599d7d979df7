import { lookUp } from "#libs/input";
import type { BatchSettings, Settings } from "#libs/campaign";
import {
  type FailureAnnotation,
  isUnobserved,
  judgeMigration,
  type Namespace,
  renderFailureAnnotation,
  renderRunAnnotation,
  type RunAnnotation,
  istioKeys,
  annotationKeys,
  type Workload,
} from "#libs/fleet";
import {
  findOwnWrite,
  planArrivalMark,
  planMove,
  planUndo,
  type Planned,
  resolveTarget,
  type OwnWrite,
} from "#libs/injection";

import { isOverdue, noteProgress, type Progress, type ProgressMemory, readElapsed } from "../index/index.ts";
import { printTime } from "../records/index.ts";
import { settingsOver } from "../main/index.ts";
import { chooseReadinessTimeout, type JudgedWorkload } from "../workloads/index.ts";
import { coversSubject } from "../stops/index.ts";
import { isConfirmed } from "./permit/confirmed.ts";
import type { ExecutorSnapshot } from "./permit/facts.ts";
import { describeSubject } from "./batch-choice.ts";
import { limitUndoes, markNamespaceOnce } from "./limit-undoes.ts";
import { findReadable, makeRemediation, type Remediation, type RemediationInput } from "./remediation.ts";
import { findObstacle, type HeldUndo, holdUnserved, planOwedUndo, undoOrMark } from "./way-back.ts";

/** What its run moves by (rules 1.4). */
function readSettings({ run }: JudgedWorkload, { snapshot, settings }: RemediationInput): Settings {
  return settingsOver({ head: snapshot.head, settings }, run);
}

/** A rollback moves by `rollback.batch` (rules 2.3). */
function chooseBatchSettings(each: JudgedWorkload, input: RemediationInput): BatchSettings {
  const { batch, rollbackBatch } = readSettings(each, input);
  return each.rollbackSince === undefined ? batch : rollbackBatch;
}

/** Why a moving workload has failed, if it has. */
function findFailure(
  each: JudgedWorkload,
  input: RemediationInput,
  progress: Progress | undefined,
): string | undefined {
  // While its controller is behind, its figures speak of another spec: nothing is known, so nothing has failed.
  if (isUnobserved(each.workload)) return undefined;
  const target = resolveTarget(input.snapshot.cluster.facts, each.desired);
  const quietMs = progress === undefined ? 0 : input.monotonic - progress.quietSince;
  const migration = judgeMigration(each.workload, target, { quietMs });
  if (migration.kind === "wrong") return migration.reason;
  const readinessTimeout = chooseReadinessTimeout(each, chooseBatchSettings(each, input).readinessTimeout);
  const isStuck = progress !== undefined && readElapsed(input) - progress.bestAt >= readinessTimeout;
  const { serverNow } = input.snapshot.cluster;
  const isTooLate = isStuck || isOverdue(each, { now: input.now, serverNow, target }, readinessTimeout);
  return isTooLate && migration.kind === "migrating" ? "ReadinessTimeout" : undefined;
}

/** Only the mark: `onWorkloadFailure: leave` keeps the new template for its owner to look at; a rollback is never reverted. */
function planMarkOnly({ workload, run, desired, rollbackSince }: JudgedWorkload, text: string): Planned {
  const { resourceVersion, annotations } = workload;
  const isOwn = rollbackSince === undefined || run === undefined || findReadable(workload)?.run?.run === run.id;
  // What a rollback waited for was another run's undo: the mark is this run's, or it would not bind it (rules 2.3).
  const mark = isOwn
    ? {}
    : {
        [annotationKeys.run]: renderRunAnnotation({ run: run.id, target: desired, attempt: 1, unhealthyBefore: false }),
        ...(annotations[annotationKeys.previous] === undefined ? {} : { [annotationKeys.previous]: null }),
      };
  return { kind: "write", change: { resourceVersion, annotations: { [annotationKeys.failed]: text, ...mark } } };
}

/** One more try is a move like any other: only by a main that git confirms, and under no stop (rules 4.3). */
function mayTryAgain(each: JudgedWorkload, snapshot: ExecutorSnapshot): boolean {
  const { stops, head } = snapshot;
  const subject = describeSubject(each, each.run?.id ?? "");
  return head !== undefined && isConfirmed(snapshot) && !stops.some((stop) => coversSubject(stop, subject));
}

/** A move of this very run that has tries left in its turn; another run's undo is not tried again by this one. */
function hasTriesLeft(
  each: JudgedWorkload,
  run: RunAnnotation | undefined,
  input: RemediationInput,
): run is RunAnnotation {
  if (run === undefined || (each.rollbackSince !== undefined && run.run !== each.run?.id)) return false;
  return run.attempt < chooseBatchSettings(each, input).maxAttempts;
}

/** A failed move: tried again while its turn has tries left, else marked and undone in one patch (rules 4.6). */
function planFailure(each: JudgedWorkload, failure: string, input: RemediationInput): readonly Remediation[] {
  const run = findReadable(each.workload)?.run;
  const mark = { revision: each.desired, reason: failure, at: printTime(input.now) };
  if (run?.unhealthyBefore === true && each.rollbackSince === undefined) {
    const reason = { code: "UnhealthyBefore", failure } as const;
    return undoOrMark(
      makeRemediation("undoTry", each, "workload", planUndo(each.workload, undefined), reason),
      mark,
      input,
    );
  }
  const again =
    hasTriesLeft(each, run, input) && mayTryAgain(each, input.snapshot) ? planRetry(each, run, failure) : [];
  const isServed = findObstacle(again, input.snapshot.cluster) === undefined;
  return again.length > 0 && isServed ? again : planMark(each, mark, input);
}

function planRetry(each: JudgedWorkload, { run, attempt }: RunAnnotation, failure: string): readonly Remediation[] {
  const order = { run, target: each.desired, attempt: attempt + 1 };
  const reason = { code: "MoveFailed", failure } as const;
  return makeRemediation("retry", each, "workload", planMove(each.workload, each.site, order), reason);
}

/** The mark, on what fails as one: the namespace where its label decides, else the workload. */
function planMark(each: JudgedWorkload, failure: FailureAnnotation, input: RemediationInput): readonly Remediation[] {
  const isRollback = each.rollbackSince !== undefined;
  const text = renderFailureAnnotation(failure);
  if (each.site.kind === "namespace" && !isRollback) {
    const planned = planUndo(each.inventory.namespace, failure);
    const reason = { code: "MoveFailed", failure: failure.reason, workload: each.key } as const;
    return undoOrMark(makeRemediation("fail", each, "namespace", planned, reason), failure, input);
  }
  const isLeft = isRollback || readSettings(each, input).onWorkloadFailure === "leave";
  const planned = isLeft ? planMarkOnly(each, text) : planUndo(each.workload, failure);
  const reason = { code: "MoveFailed", failure: failure.reason } as const;
  return undoOrMark(makeRemediation("fail", each, "workload", planned, reason), failure, input);
}

/**
 * Taking back needs a main that parses, that git confirms, and no stop that covers everything here (rules 4.4). And a ledger that
 * judged this very main, of whose open runs all files are read: else the run that moves it is only not known yet.
 */
function mayTakeBack(snapshot: ExecutorSnapshot): boolean {
  const { stops, head, ledger, hasUnreadRun = false } = snapshot;
  const isJudged = head !== undefined && ledger?.judged === head.commit && !hasUnreadRun;
  return isJudged && isConfirmed(snapshot) && !stops.some((stop) => stop.scope === "all" || stop.id === "kubectl");
}

/** Undoing an old move would lead to a revision that is not wanted: only a write that hides the desired one is late. */
function hidesDesired({ previous }: OwnWrite, desired: string): boolean {
  const before = previous.template?.labels?.[istioKeys.revision] ?? previous.labels?.[istioKeys.revision];
  return before === undefined || before === null || before === desired;
}

/** Head does not demand this write of ours, and this process knows its run: else it fetches first. */
function isLate(object: Workload | Namespace, each: JudgedWorkload, { ledger, stops }: ExecutorSnapshot): boolean {
  const write = findOwnWrite(object);
  if (write === undefined || write.run.target === each.desired) return false;
  // What a rollback put back, and a person ended, goes forward again: under the stops that hold what goes forward.
  const subject = describeSubject(each, write.run.run);
  if (write.previous.restored === true && stops.some((stop) => coversSubject(stop, subject))) return false;
  return lookUp(ledger?.runs, write.run.run) !== undefined && hidesDesired(write, each.desired);
}

/**
 * Pinned, opted out, paused, without a budget: what differs there is drift, and not ours to fix by a restart. A rollout
 * that has no new pod yet looks like its owner's; where all of our write stands, it is ours.
 */
function isWritable({ state }: JudgedWorkload): boolean {
  return state.kind === "pending" || (state.kind === "waiting" && state.reason.code === "OwnerRollout");
}

/**
 * A write of ours that head does not demand and no run will move: a late patch of an executor that was away. A namespace's
 * label is put back before what was restarted for it, else that would be injected with the late revision again.
 */
function planTakeBack(each: JudgedWorkload, snapshot: ExecutorSnapshot): readonly Remediation[] {
  if (each.run !== undefined || !isWritable(each) || !mayTakeBack(snapshot)) return [];
  const { workload, inventory, desired } = each;
  const object = isLate(inventory.namespace, each, snapshot) ? inventory.namespace : workload;
  if (!isLate(object, each, snapshot)) return [];
  const reason = { code: "NotDemanded", desired, target: findOwnWrite(object)?.run.target } as const;
  const where = object === workload ? "workload" : "namespace";
  return makeRemediation("revert", each, where, planUndo(object, undefined), reason);
}

/** A marked namespace whose restarted workloads still carry our token: the next reconcile finishes (rules 4.6). */
function planNamespaceUndo(each: JudgedWorkload): readonly Remediation[] {
  const failed = findReadable(each.inventory.namespace)?.failed;
  const write = findOwnWrite(each.workload);
  // While its label still asks for the new revision, a restart would lead nowhere else.
  if (failed === undefined || failed.notPutBack !== undefined) return [];
  if (write?.run.target !== failed.revision || each.state.kind !== "skipped") return [];
  const reason = { code: "NamespaceFailed", failure: failed.reason } as const;
  return makeRemediation("finishUndo", each, "workload", planUndo(each.workload, undefined), reason);
}

/** That a move is through is written on the object once: no later look has to find it out from what is left of it. */
function planArrival(each: JudgedWorkload, { cluster, stops }: ExecutorSnapshot): readonly Remediation[] {
  const { state, run, workload, desired } = each;
  if (state.kind !== "migrated" || run === undefined || stops.some((stop) => stop.id === "kubectl")) return [];
  const planned = planArrivalMark(workload, { desired, target: resolveTarget(cluster.facts, desired) });
  return makeRemediation("recordArrival", each, "workload", planned, { code: "Arrived", target: desired });
}

/** A restart was refused, and the label of its namespace is written already: that one fails as one. */
function planRefused(each: JudgedWorkload, input: RemediationInput): readonly Remediation[] {
  const { state, site, namespaceBegun, desired: revision } = each;
  if (state.kind !== "skipped" || state.reason.code !== "MoveFailed" || state.reason.why === undefined) return [];
  const { failure: reason, at, isNamespace } = state.reason;
  const isHalf = !isNamespace && site.kind === "namespace" && namespaceBegun;
  return isHalf ? planMark(each, { revision, reason, at }, input) : [];
}

/** What to write now, and what to remember for the next reconcile. */
export interface RemediationPlan {
  readonly remediations: readonly Remediation[];
  /** What stays as it is for now, because nothing serves what it would be put back to. */
  readonly held: readonly HeldUndo[];
  readonly progress: ProgressMemory;
}

/**
 * What has to be written now so that nothing of ours is left behind; each write is decided on what stands there now. `before`: the
 * progress that the last reconcile answered.
 */
export function planRemediation(input: RemediationInput, before: ProgressMemory): RemediationPlan {
  const progress = noteProgress(before, input.snapshot, input);
  // No other workload carries anything of ours.
  const ours = [...input.snapshot.judged.list("rolling", "touched")];
  const failures = ours.flatMap((each) => {
    const failure = each.state.kind === "migrating" ? findFailure(each, input, progress.get(each.key)) : undefined;
    return failure === undefined ? planRefused(each, input) : planFailure(each, failure, input);
  });
  const undoes = ours.flatMap((each) =>
    each.state.kind === "migrating"
      ? []
      : [...planNamespaceUndo(each), ...planOwedUndo(each), ...planTakeBack(each, input.snapshot)],
  );
  const { ready, held } = holdUnserved(undoes, input.snapshot.cluster);
  const arrivals = ours.flatMap((each) => planArrival(each, input.snapshot));
  const remediations = [...limitUndoes(markNamespaceOnce([...failures, ...ready]), input), ...arrivals];
  return { remediations, held, progress };
}
