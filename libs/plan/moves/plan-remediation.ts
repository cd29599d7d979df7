import { lookUp } from "#libs/input";
import type { BatchSettings, Settings } from "#libs/campaign";
import type { RemediationReason } from "#libs/wording";
import {
  type FailureAnnotation,
  isMoveInHand,
  isUnobserved,
  judgeMigration,
  type Namespace,
  readAnnotations,
  readCause,
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

import {
  findStuckSince,
  isOverdue,
  noteProgress,
  type Progress,
  type ProgressMemory,
  readElapsed,
} from "../index/index.ts";
import { printTime } from "../records/index.ts";
import { chooseBatchSettings, settingsOver } from "../main/index.ts";
import { chooseReadinessTimeout, type JudgedWorkload } from "../workloads/index.ts";
import { coversSubject } from "../stops/index.ts";
import { isConfirmed } from "./permit/confirmed.ts";
import type { ExecutorSnapshot } from "./permit/facts.ts";
import { describeSubject } from "./batch-choice.ts";
import { limitUndoes, annotateNamespaceOnce } from "./limit-undoes.ts";
import { makeRemediation, recordFailure, type Remediation, type RemediationInput } from "./remediation.ts";
import { findObstacle, type HeldUndo, holdUnserved, planOwedUndo, undoOrAnnotate } from "./way-back.ts";

/** The settings of its run (rules 1.4). */
function readSettings({ run }: JudgedWorkload, { snapshot, settings }: RemediationInput): Settings {
  return settingsOver({ head: snapshot.head, settings }, run);
}

/** The batch settings of its run, by the direction of the move. */
function readBatchSettings(each: JudgedWorkload, input: RemediationInput): BatchSettings {
  return chooseBatchSettings(readSettings(each, input), each.rollbackSince !== undefined);
}

/** Of a group of VMs none has its turn; or Argo's own strategy waits. */
function takesItsTime({ vms, argo }: Workload): boolean {
  return vms === undefined ? argo?.holds !== undefined : !isMoveInHand(vms);
}

/** Why a migrating workload has failed; undefined when it has not. */
function findFailure(
  each: JudgedWorkload,
  input: RemediationInput,
  progress: Progress | undefined,
): string | undefined {
  // Its status is about an older spec, so a failure of this one is not known.
  if (isUnobserved(each.workload)) return undefined;
  const target = resolveTarget(input.snapshot.cluster.facts, each.desired);
  const quietMs = progress === undefined ? 0 : input.monotonic - progress.quietSince;
  const migration = judgeMigration(each.workload, target, { quietMs });
  if (migration.kind === "wrong") return migration.reason;
  const readinessTimeout = chooseReadinessTimeout(each, readBatchSettings(each, input).readinessTimeout);
  const isStuck = progress !== undefined && readElapsed(input) - findStuckSince(progress) >= readinessTimeout;
  const { serverNow } = input.snapshot.cluster;
  if (takesItsTime(each.workload)) return undefined;
  const isTooLate = isStuck || isOverdue(each, { now: input.now, serverNow, target }, readinessTimeout);
  return isTooLate && migration.kind === "migrating" ? "ReadinessTimeout" : undefined;
}

/**
 * Only writes the failure annotation: `onWorkloadFailure: leave` keeps the new template for its owner to examine, and a
 * rollback is never undone.
 */
function planAnnotationOnly({ workload, run, desired, rollbackSince }: JudgedWorkload, text: string): Planned {
  const { resourceVersion, annotations } = workload;
  const isOwn = rollbackSince === undefined || run === undefined || readAnnotations(workload)?.run?.run === run.id;
  // The rollback waited for another run's undo. The annotation must be this run's, or it would not bind this run (rules
  // 2.3).
  const ownRun = isOwn
    ? {}
    : {
        [annotationKeys.run]: renderRunAnnotation({ run: run.id, target: desired, attempt: 1, unhealthyBefore: false }),
        ...(annotations[annotationKeys.previous] === undefined ? {} : { [annotationKeys.previous]: null }),
      };
  return { kind: "write", change: { resourceVersion, annotations: { [annotationKeys.failed]: text, ...ownRun } } };
}

/** A retry is a move like any other: it needs confirmation by git, and no stop may cover it (rules 4.3). */
function mayTryAgain(each: JudgedWorkload, snapshot: ExecutorSnapshot): boolean {
  const { stops, head } = snapshot;
  const subject = describeSubject(each, each.run?.id ?? "");
  return head !== undefined && isConfirmed(snapshot) && !stops.some((stop) => coversSubject(stop, subject));
}

/** Whether attempts are left. The undo of another run is not retried by this one. */
function hasTriesLeft(
  each: JudgedWorkload,
  run: RunAnnotation | undefined,
  input: RemediationInput,
): run is RunAnnotation {
  if (run === undefined || (each.rollbackSince !== undefined && run.run !== each.run?.id)) return false;
  return run.attempt < readBatchSettings(each, input).maxAttempts;
}

/** A failed move is retried while attempts are left, else annotated and undone in one patch (rules 4.6). */
function planFailure(each: JudgedWorkload, failure: string, input: RemediationInput): readonly Remediation[] {
  const run = readAnnotations(each.workload)?.run;
  const annotation = { revision: each.desired, reason: failure, at: printTime(input.now) };
  if (run?.unhealthyBefore === true && each.rollbackSince === undefined) {
    const reason = { code: "UnhealthyBefore", failure } as const;
    return undoOrAnnotate(
      makeRemediation("undoTry", each, "workload", planUndo(each.workload, undefined), reason),
      annotation,
      input,
    );
  }
  const again =
    hasTriesLeft(each, run, input) && mayTryAgain(each, input.snapshot) ? planRetry(each, run, failure) : [];
  const isServed = findObstacle(again, input.snapshot.cluster) === undefined;
  return again.length > 0 && isServed ? again : planFailureAnnotation(each, annotation, input);
}

function planRetry(each: JudgedWorkload, { run, attempt }: RunAnnotation, failure: string): readonly Remediation[] {
  const order = { run, target: each.desired, attempt: attempt + 1 };
  const reason = { code: "MoveFailed", failure } as const;
  return makeRemediation("retry", each, "workload", planMove(each.workload, each.site, order), reason);
}

/** The failure annotation and the undo: of the namespace where its label decides, else of the workload. */
function planFailureAnnotation(
  each: JudgedWorkload,
  failure: FailureAnnotation,
  input: RemediationInput,
): readonly Remediation[] {
  const isRollback = each.rollbackSince !== undefined;
  const makeFailure = (...write: readonly ["namespace" | "workload", Planned, RemediationReason]) =>
    makeRemediation("fail", each, ...write).map((planned) => recordFailure(planned, failure));
  const told = { failure: failure.reason, ...(failure.cause === undefined ? {} : { cause: failure.cause }) };
  if (each.site.kind === "namespace" && !isRollback) {
    const planned = planUndo(each.inventory.namespace, failure);
    const reason = { code: "MoveFailed", ...told, workload: each.key } as const;
    return undoOrAnnotate(makeFailure("namespace", planned, reason), failure, input);
  }
  const isLeft = isRollback || readSettings(each, input).onWorkloadFailure === "leave";
  const planned = isLeft
    ? planAnnotationOnly(each, renderFailureAnnotation(failure))
    : planUndo(each.workload, failure);
  const reason = { code: "MoveFailed", ...told } as const;
  return undoOrAnnotate(makeFailure("workload", planned, reason), failure, input);
}

/**
 * Whether late patches may be reverted: main parses and git confirms it, no stop covers the whole cluster (rules 4.4), the
 * ledger has judged this very main, and the files of all open runs are read. Otherwise a run that wants the patch might just
 * not be known yet.
 */
function mayTakeBack(snapshot: ExecutorSnapshot): boolean {
  const { stops, head, ledger, hasUnreadRun = false } = snapshot;
  const isJudged = head !== undefined && ledger?.judged === head.commit && !hasUnreadRun;
  return isJudged && isConfirmed(snapshot) && !stops.some((stop) => stop.scope === "all" || stop.id === "kubectl");
}

/**
 * Only a write that replaced the desired revision is late: undoing an older one would lead to a revision that nothing wants.
 */
function hidesDesired({ previous }: OwnWrite, desired: string): boolean {
  const before = previous.template?.labels?.[istioKeys.revision] ?? previous.labels?.[istioKeys.revision];
  return before === undefined || before === null || before === desired;
}

/** Whether main does not demand this write of ours. Its run must be known, else this process has to fetch first. */
function isLate(object: Workload | Namespace, each: JudgedWorkload, { ledger, stops }: ExecutorSnapshot): boolean {
  const write = findOwnWrite(object);
  if (write === undefined || write.run.target === each.desired) return false;
  // A write that a rollback put back, and whose rollback a person ended, moves forward again, so stops that hold forward
  // moves hold it.
  const subject = describeSubject(each, write.run.run);
  if (write.previous.restored === true && stops.some((stop) => coversSubject(stop, subject))) return false;
  return lookUp(ledger?.runs, write.run.run) !== undefined && hidesDesired(write, each.desired);
}

/**
 * A pinned, opted-out or paused workload, or one without budget, stays as it is: its difference is drift. A rollout of ours
 * without a new pod yet looks like its owner's, hence `OwnerRollout`.
 */
function isWritable({ state }: JudgedWorkload): boolean {
  return state.kind === "pending" || (state.kind === "waiting" && state.reason.code === "OwnerRollout");
}

/**
 * Reverts a write of ours that main does not demand and no run will move: a late patch of an executor that was away. The
 * namespace's label comes before its workloads, which would be injected with the late revision again.
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

/**
 * Finishes the undo of a failed namespace: its workloads that were restarted for the failed revision are put back at the next
 * reconcile (rules 4.6).
 */
function planNamespaceUndo(each: JudgedWorkload): readonly Remediation[] {
  const failed = readAnnotations(each.inventory.namespace)?.failed;
  const write = findOwnWrite(each.workload);
  // Until the label of the namespace is put back, a restart would lead to the same revision.
  if (failed === undefined || failed.notPutBack !== undefined) return [];
  if (write?.run.target !== failed.revision || each.state.kind !== "skipped") return [];
  const reason = { code: "NamespaceFailed", failure: failed.reason } as const;
  return makeRemediation("finishUndo", each, "workload", planUndo(each.workload, undefined), reason);
}

/**
 * Records on the object that its move is complete, so that later judgements need not derive it from what is left of the move.
 */
function planArrival(each: JudgedWorkload, { cluster, stops }: ExecutorSnapshot): readonly Remediation[] {
  const { state, run, workload, desired } = each;
  if (state.kind !== "migrated" || run === undefined || stops.some((stop) => stop.id === "kubectl")) return [];
  const planned = planArrivalMark(workload, { desired, target: resolveTarget(cluster.facts, desired) });
  const isVms = each.workload.vms === undefined ? {} : { isVms: true as const };
  return makeRemediation("recordArrival", each, "workload", planned, { code: "Arrived", target: desired, ...isVms });
}

/** The API server refused a restart after the namespace's label was written: the namespace fails as a whole. */
function planRefused(each: JudgedWorkload, input: RemediationInput): readonly Remediation[] {
  const { state, site, namespaceBegun, desired: revision } = each;
  if (state.kind !== "skipped" || state.reason.code !== "MoveFailed" || state.reason.why === undefined) return [];
  const { failure: reason, at, isNamespace, why } = state.reason;
  const isHalf = !isNamespace && site.kind === "namespace" && namespaceBegun;
  if (!isHalf) return [];
  const { kind, name } = each.workload;
  const cause = readCause({ code: "RestartRefused", message: why, workload: `${kind}/${name}` });
  return planFailureAnnotation(each, { revision, reason, at, ...(cause === undefined ? {} : { cause }) }, input);
}

/** What to write now, and what to remember for the next reconcile. */
export interface RemediationPlan {
  readonly remediations: readonly Remediation[];
  /** Undos that wait because nothing serves the revision that they lead to. */
  readonly held: readonly HeldUndo[];
  readonly progress: ProgressMemory;
}

/**
 * All writes that leave nothing of ours unfinished, each decided by the present objects. `before`: the progress that the last
 * call returned.
 */
export function planRemediation(input: RemediationInput, before: ProgressMemory): RemediationPlan {
  const progress = noteProgress(before, input.snapshot, input);
  // No other workload has anything of ours.
  const ours = [...input.snapshot.judged.list("rolling", "ourAnnotations")];
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
  const remediations = [...limitUndoes(annotateNamespaceOnce([...failures, ...ready]), input), ...arrivals];
  return { remediations, held, progress };
}
