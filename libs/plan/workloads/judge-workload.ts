import { lookUp } from "#libs/input";
import {
  annotationKeys,
  awaitsPromotion,
  hasMigratedOnce,
  isDeployedSince,
  isRollingByOwner,
  judgeMigration,
  judgeHealth,
  type ReadAnnotations,
  readRunning,
} from "#libs/fleet";
import {
  effectiveRevision,
  findOwnWrite,
  judgeManaged,
  judgeRefused,
  judgeOverwritten,
  resolveTarget,
} from "#libs/injection";

import { settingsOf } from "../main/index.ts";
import { nameInFleet } from "../records/index.ts";
import { type Case, type ObjectWithAnnotations, readOrNone } from "./cases/workload-case.ts";
import { isBudget, judgeBudget } from "./judge-budget.ts";
import { findLeftOut } from "./judge-campaign.ts";
import { findLastingRevision, findPin, isIdle } from "./cases/in-place.ts";
import { isTurnedAway, isUndoInFlight } from "./in-flight.ts";
import { findReadinessTimeout } from "./sail-annotations.ts";
import { awaitsWave, findDeadline, needsNoRestart, waitForDeploy } from "./waiting/awaited-deploy.ts";
import { findArgoHold } from "./waiting/argo-hold.ts";
import { findEndless, type OwnersWait } from "./waiting/endless.ts";
import type { WorkloadState } from "./workload-state.ts";

/**
 * Whether the workload runs the desired revision; after a move of ours, whether that move is complete. A move ends once, and
 * the object records it: added replicas, a lost node, a slow controller or a deploy of its owner do not make it incomplete
 * again.
 */
function isMigrated(each: Case): boolean {
  const { workload, cluster, owned } = each;
  const target = resolveTarget(cluster.facts, owned.desired);
  if (findLastingRevision(each) !== target) return false;
  if (judgeMigration(workload, target, { resolvesTo: target }).kind === "migrated") return true;
  const write = findOwnWrite(workload);
  const isOurs = write !== undefined && write.run.target === owned.desired && owned.run !== undefined;
  if (isOurs) return readOrNone(workload).arrived === true || hasMigratedOnce(workload, target);
  const running = readRunning(workload);
  return running.kind === "all" && running.revision === target;
}

function listMarked({ own, marked, key }: Case): readonly ObjectWithAnnotations[] {
  return [{ marks: own, name: key, isNamespace: false }, marked];
}

function isUnmarked({ run, failed, byHand }: ReadAnnotations): boolean {
  return run === undefined && failed === undefined && byHand === undefined;
}

const nothingMarked: readonly ObjectWithAnnotations[] = [];

/** The objects of `listMarked` if one has an annotation of ours; most workloads and namespaces have none. */
function listWritten(each: Case): readonly ObjectWithAnnotations[] {
  const isNone = isUnmarked(each.own) && isUnmarked(each.marked.marks);
  return isNone ? nothingMarked : listMarked(each);
}

/** The number of attempts of this object that `retry` forgave in this run (rules 3.3); 0 without one. */
function countForgiven({ cluster, owned }: Case, name: string): number {
  return lookUp(owned.run?.retried, nameInFleet(cluster.name, name)) ?? 0;
}

/**
 * Whether an object's annotation binds this run: it was not forgiven, and for a rollback it is the rollback's own (rules 2.3).
 */
function isBinding(each: Case, { marks, name }: ObjectWithAnnotations): boolean {
  const { run } = marks;
  if (each.owned.rollbackSince !== undefined && run?.run !== each.owned.run?.id) return false;
  return (run?.attempt ?? 1) > countForgiven(each, name);
}

/**
 * Whether a failure annotation counts as a failure of this run. An earlier run's does not, nor does one in a rollback or of a
 * workload that was unhealthy before; these still skip the workload.
 */
function isCounted({ owned: { run, rollbackSince, desired }, head }: Case, marks: ReadAnnotations): boolean {
  const { run: mark } = marks;
  if (run === undefined || rollbackSince !== undefined || mark?.run !== run.id || mark.unhealthyBefore) return false;
  return mark.target === desired && (isAnswered(marks) || settingsOf(head, run).onWorkloadFailure === "leave");
}

/** Whether the executor has dealt with the failure: the undo was written, or the annotation says why not. */
function isAnswered({ previous, failed }: ReadAnnotations): boolean {
  return previous === undefined || failed?.notPutBack !== undefined || failed?.why !== undefined;
}

/** The state by a failure annotation for this revision, on the workload or its namespace. Only a verb makes it move again. */
function findFailure(each: Case): WorkloadState | undefined {
  const { owned } = each;
  for (const object of listWritten(each)) {
    const { failed: annotation, run } = object.marks;
    if (annotation?.revision !== owned.desired || !isBinding(each, object)) continue;
    const { revision: _, reason: failure, ...rest } = annotation;
    const reason = { code: "MoveFailed", failure, ...rest, isNamespace: object.isNamespace } as const;
    const failureAnnotation = { object: object.name, ...(run === undefined ? {} : { run: run.run }) };
    const failed = isCounted(each, object.marks) ? { failed: object.name } : {};
    return { kind: "skipped", reason, ...failed, failureAnnotation };
  }
  return undefined;
}

/** Its owner brought an older template back, with the annotations that were on it: `kubectl rollout undo` does so. */
function isPutBack({ workload, owned }: Case): boolean {
  return judgeOverwritten(workload)?.target === owned.desired;
}

/**
 * The state when another field manager wrote our annotation: the workload stays as it is and counts nowhere. `arrived` on a
 * namespace is ignored, and so is one that came back with an older template, because that is an overwritten move.
 */
const findByHand: Question = (each) => {
  for (const object of listWritten(each)) {
    const { byHand } = object.marks;
    if (byHand?.revision !== each.owned.desired || !isBinding(each, object)) continue;
    const { key: mark, by } = byHand;
    if (mark === annotationKeys.arrived && (object.isNamespace || isPutBack(each))) continue;
    return { kind: "skipped", reason: { code: "MarkedByHand", mark, by, isNamespace: object.isNamespace } };
  }
  return undefined;
};

/**
 * Whether it was unhealthy before the run, tried once at its end, and undone. For a rollback: it has the revision to roll back
 * to already.
 */
function isTriedAndUndone(each: Case): boolean {
  const { workload, inventory, cluster, owned } = each;
  const { run, previous } = readOrNone(workload);
  if (run?.unhealthyBefore !== true || previous !== undefined) return false;
  if (owned.rollbackSince === undefined)
    return run.target === owned.desired && run.attempt > countForgiven(each, each.key);
  const target = resolveTarget(cluster.facts, owned.desired);
  return effectiveRevision(inventory.namespace, workload, cluster.facts).revision === target;
}

/**
 * Whether an owner's overwrite, which ends a move (rules 5.5), binds this run. It does so too for the merged rollback after a
 * `rollback --now`, which requests nothing new.
 */
function isOverwriteBinding(each: Case, object: ObjectWithAnnotations): boolean {
  const { run } = object.marks;
  if (run === undefined || each.owned.continues?.includes(run.run) !== true) return isBinding(each, object);
  return run.attempt > countForgiven(each, object.name);
}

/** The state of a move that ended without a failure of ours. */
function findEnd(each: Case): WorkloadState | undefined {
  const { workload, inventory, owned, site } = each;
  for (const marked of listWritten(each)) {
    if (marked.isNamespace && site.kind !== "namespace") continue;
    const taken = judgeOverwritten(marked.isNamespace ? inventory.namespace : workload);
    if (taken?.target === owned.desired && isOverwriteBinding(each, marked))
      return { kind: "skipped", reason: { code: "Overwritten", ...taken } };
  }
  return isTriedAndUndone(each) ? { kind: "skipped", reason: { code: "UnhealthyBefore" } } : undefined;
}

/** Whether our write towards the desired revision is in place, and was not forgiven by a retry. */
function isWrittenFor(each: Case): boolean {
  const write = findOwnWrite(each.workload);
  return write?.run.target === each.owned.desired && write.run.attempt > countForgiven(each, each.key);
}

/** Whether its owner is deploying it, or has deployed it since our move without becoming ready. */
function isOwnersRollout(each: Case): boolean {
  const { workload } = each;
  return isRollingByOwner(workload) || (isWrittenFor(each) && isDeployedSince(workload));
}

/** The state of a write of ours towards the desired revision that is not complete, while a run wants it. */
function findMove(each: Case): WorkloadState | undefined {
  const { workload, inventory, owned, cluster, site } = each;
  if (owned.run === undefined) return undefined;
  const wanted = { namespace: inventory.namespace, workload, site, facts: cluster.facts, desired: owned.desired };
  if (isUndoInFlight(wanted)) return { kind: "migrating", progress: "UndoRolling" };
  if (!isWrittenFor(each) || isTurnedAway(wanted) || isDeployedSince(workload)) return undefined;
  // Its owner holds pods back by a partition since our write, or has to promote them; the move has not failed.
  if (workload.partition !== undefined || awaitsPromotion(workload)) return undefined;
  const migration = judgeMigration(workload, resolveTarget(cluster.facts, owned.desired));
  return { kind: "migrating", progress: migration.kind === "migrating" ? migration.reason : "NotObserved" };
}

function findBlocker(each: Case): OwnersWait | undefined {
  const { workload, owned, head, inventory } = each;
  if (workload.paused) return { code: "PausedByOwner" };
  if (workload.partition !== undefined) return { code: "Partitioned", partition: workload.partition };
  const held = findArgoHold(workload, isWrittenFor(each));
  if (held !== undefined) return held;
  if (isOwnersRollout(each)) return { code: "OwnerRollout" };
  const budget = judgeBudget({ workload, namespace: inventory.namespace, head, run: owned.run });
  return budget.kind === "tooSmall" ? budget.reason : undefined;
}

/** Waiting for an owner ends after `readinessTimeout` (rules 3.1, 5.3). */
function judgeBlocker(each: Case, blocker: OwnersWait): WorkloadState {
  const since = each.waitingSince.get(nameInFleet(each.cluster.name, each.key));
  const limit = findReadinessTimeout(each, each.head, each.owned.run);
  const isOver = since !== undefined && each.now - since >= limit;
  return isOver
    ? { kind: "skipped", reason: { ...blocker, isOver: true }, waited: true }
    : { kind: "waiting", reason: blocker };
}

/** A merged `clusters.<name>.excluded` ends what runs want in the cluster (rules 6.1). */
const findLeftCluster: Question = ({ cluster, head, owned }) =>
  owned.run !== undefined && head.settings.excludedClusters.includes(cluster.name)
    ? { kind: "skipped", reason: { code: "ClusterExcluded", cluster: cluster.name } }
    : undefined;

type Question = (each: Case) => WorkloadState | undefined;

const findUnmanaged: Question = ({ workload, inventory, cluster, isManaged, head }) => {
  const { namespace } = inventory;
  const { gateways } = head.settings;
  const namespaceManaged = isManaged.managed ? true : isManaged.reason;
  const managed = judgeManaged({ namespaceManaged, namespace, workload, cluster: cluster.facts, gateways });
  return managed.managed ? undefined : { kind: "unmanaged", reason: managed.reason };
};

// Shared objects for the two most frequent judgements.
const migrated: WorkloadState = { kind: "migrated" };
const idle: WorkloadState = { kind: "idle" };
const firstTry: WorkloadState = { kind: "pending", unhealthyBefore: false, attempt: 1 };

const findPresent: Question = (each) => {
  if (isIdle(each)) return idle;
  return isMigrated(each) ? (findPin(each) ?? migrated) : undefined;
};

const findRefusal: Question = ({ workload, inventory, cluster, owned }) => {
  const refusal = judgeRefused(inventory.namespace, workload, cluster.facts, owned.desired);
  return refusal.refused ? { kind: "skipped", reason: refusal.reason } : undefined;
};

/** The state when something of its owner's blocks the move. A budget does not block a workload that is unhealthy already. */
const findOwnersTurn: Question = (each) => {
  const endless = findEndless(each);
  if (endless !== undefined) return { kind: "waiting", reason: endless };
  const deadline = findDeadline(each);
  if (deadline !== undefined && countForgiven(each, each.key) === 0)
    return needsNoRestart(each) ? firstTry : waitForDeploy(each.workload, deadline);
  const blocker = awaitsWave(each) ? undefined : findBlocker(each);
  const isSick = !judgeHealth(each.workload).healthy;
  return blocker === undefined || (isSick && isBudget(blocker)) ? undefined : judgeBlocker(each, blocker);
};

/**
 * Asked in this order. What ended a move comes before refusals: an overwritten label may look like a contradiction, but the
 * overwrite is what people need to know.
 */
const questions: readonly Question[] = [
  findUnmanaged,
  findPresent,
  findLeftCluster,
  findFailure,
  findByHand,
  findEnd,
  findRefusal,
  findMove,
  findLeftOut,
  findOwnersTurn,
];

/** The state by the first question with an answer, else pending. */
export function chooseState(each: Case): WorkloadState {
  for (const ask of questions) {
    const state = ask(each);
    if (state !== undefined) return state;
  }
  // A rollback does not wait for unhealthy workloads: broken ones are rolled back first (rules 2.3).
  const isSick = each.owned.rollbackSince === undefined && !judgeHealth(each.workload).healthy;
  const attempt = chooseAttempt(each);
  return !isSick && attempt === 1 ? firstTry : { kind: "pending", unhealthyBefore: isSick, attempt };
}

/** 1, or one more than was forgiven, because a new number causes a new restart. */
function chooseAttempt(each: Case): number {
  const tries = listMarked(each).map((marked) => {
    const { run } = marked.marks;
    const forgiven = countForgiven(each, marked.name);
    return run?.target === each.owned.desired ? Math.max(run.attempt, forgiven + 1) : forgiven + 1;
  });
  return each.site.kind === "namespace" ? Math.max(...tries) : (tries[0] ?? 1);
}
