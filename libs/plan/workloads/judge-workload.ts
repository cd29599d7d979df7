import { lookUp } from "#libs/input";
import type { ManagedAnswer } from "#libs/campaign";
import {
  isDeployedSince,
  isRollingByOwner,
  judgeMigration,
  judgeHealth,
  type NamespaceInventory,
  parseAnnotations,
  type ReadAnnotations,
  readRunning,
  type Workload,
} from "#libs/fleet";
import {
  effectiveRevision,
  findOwnWrite,
  judgeManaged,
  judgeRefused,
  judgeOverwritten,
  resolveTarget,
  type Site,
} from "#libs/injection";
import type { WaitingReason } from "#libs/wording";

import { type ClusterSnapshot, nameInFleet, type Spec } from "../records/index.ts";
import { findLeftOut } from "./judge-campaign.ts";
import { findPin, isIdle } from "./in-place.ts";
import { isTurnedAway, isUndoInFlight } from "./in-flight.ts";
import type { Ownership } from "./ownership.ts";
import { findReadinessTimeout } from "./sail-annotations.ts";
import type { WorkloadState } from "./workload-state.ts";

/** What all workloads of a cluster are judged by. */
export interface JudgeContext {
  readonly cluster: Pick<ClusterSnapshot, "name" | "facts">;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  /** `now`-time since when workloads wait for their owner, by `cluster:namespace/Kind/name`; empty where no process watched. */
  readonly waitingSince: ReadonlyMap<string, number>;
}

/** What is judged once for all workloads of a namespace. */
export interface NamespaceCase extends Omit<JudgeContext, "ownerOf"> {
  readonly inventory: Pick<NamespaceInventory, "namespace">;
  readonly owned: Ownership;
  readonly isManaged: ManagedAnswer;
  /** What its marks say of all its workloads. */
  readonly marked: ObjectWithAnnotations;
  /** Pattern of the bucket that decides its answer. */
  readonly bucket: string;
  /** We changed its label for what is desired. */
  readonly namespaceBegun: boolean;
}

/** One workload, and all that it is judged by. */
export interface Case extends NamespaceCase {
  readonly workload: Workload;
  readonly site: Site;
  readonly key: string;
}

const nothingRead: ReadAnnotations = { kind: "read", sail: {} };

/** Our annotations; none where a person broke them: those are refused before anything is read off them. */
export function readOrNone(annotations: Readonly<Record<string, string>>): ReadAnnotations {
  const marks = parseAnnotations(annotations);
  return marks.kind === "read" ? marks : nothingRead;
}

/** Does it run what the file wants? After a move of ours also: did it arrive? */
function isMigrated({ workload, inventory, cluster, owned }: Case): boolean {
  const target = resolveTarget(cluster.facts, owned.desired);
  const effective = effectiveRevision(inventory.namespace, workload, cluster.facts);
  if (effective.revision !== target) return false;
  if (judgeMigration(workload, target, { resolvesTo: target }).kind === "migrated") return true;
  const running = readRunning(workload);
  const write = findOwnWrite(workload);
  const isOnTarget = running.kind === "all" && running.revision === target;
  const isOurs = write !== undefined && write.run.target === owned.desired && owned.run !== undefined;
  // What we moved must have arrived; what arrived once stays there though a node takes its pods away later.
  return isOnTarget && (!isOurs || hasMigratedOnce(workload));
}

function hasMigratedOnce(workload: Workload): boolean {
  return workload.rolledOut === true && workload.observedGeneration >= workload.generation;
}

/** Where a mark may stand, and the name under which people see it. */
export interface ObjectWithAnnotations {
  readonly marks: ReadAnnotations;
  readonly name: string;
  readonly isNamespace: boolean;
}

function listMarked({ workload, marked, key }: Case): readonly ObjectWithAnnotations[] {
  return [{ marks: readOrNone(workload.annotations), name: key, isNamespace: false }, marked];
}

function isUnmarked({ run, failed }: ReadAnnotations): boolean {
  return run === undefined && failed === undefined;
}

const nothingMarked: readonly ObjectWithAnnotations[] = [];

/** The same, where we left a mark at all: most workloads carry none, nor does their namespace. */
function listWritten(each: Case): readonly ObjectWithAnnotations[] {
  const isNone = isUnmarked(readOrNone(each.workload.annotations)) && isUnmarked(each.marked.marks);
  return isNone ? nothingMarked : listMarked(each);
}

/** Tries of this object that `retry` forgave in this run (rules 3.3): 0 where none was requested. */
function countForgiven({ cluster, owned }: Case, name: string): number {
  return lookUp(owned.run?.retried, nameInFleet(cluster.name, name)) ?? 0;
}

/** What is on the object binds this run: it was not forgiven, and a rollback heeds only its own marks (rules 2.3). */
function isBinding(each: Case, { marks, name }: ObjectWithAnnotations): boolean {
  const { run } = marks;
  if (each.owned.rollbackSince !== undefined && run?.run !== each.owned.run?.id) return false;
  return (run?.attempt ?? 1) > countForgiven(each, name);
}

/** A mark for this target, on the workload or on its whole namespace: never tried again without a verb. */
function findFailure(each: Case): WorkloadState | undefined {
  const { owned } = each;
  for (const object of listWritten(each)) {
    const { failed, run } = object.marks;
    if (failed?.revision !== owned.desired || !isBinding(each, object)) continue;
    // Only marks of this run count as its failures, and a rollback has none; an earlier run's still keeps the workload skipped.
    const isCounted = owned.run !== undefined && run?.run === owned.run.id && owned.rollbackSince === undefined;
    const { reason: failure, at } = failed;
    const reason = { code: "MoveFailed", failure, at, isNamespace: object.isNamespace } as const;
    const mark = { object: object.name, ...(run === undefined ? {} : { run: run.run }) };
    return { kind: "skipped", reason, ...(isCounted ? { failed: object.name } : {}), mark };
  }
  return undefined;
}

/** Unhealthy before the run, tried once at its end, and put back; a rollback finds it back already, and as sick as it was. */
function isTriedAndUndone(each: Case): boolean {
  const { workload, inventory, cluster, owned } = each;
  const { run, previous } = readOrNone(workload.annotations);
  if (run?.unhealthyBefore !== true || previous !== undefined) return false;
  if (owned.rollbackSince === undefined)
    return run.target === owned.desired && run.attempt > countForgiven(each, each.key);
  const target = resolveTarget(cluster.facts, owned.desired);
  return effectiveRevision(inventory.namespace, workload, cluster.facts).revision === target;
}

/**
 * Its owner's word against the run's: it ends the move (rules 5.5). So it does against a rollback that main says after it was in force
 * at once: that asks for nothing which the owner has not answered already.
 */
function isOverwriteBinding(each: Case, object: ObjectWithAnnotations): boolean {
  const { run } = object.marks;
  if (run === undefined || each.owned.continues?.includes(run.run) !== true) return isBinding(each, object);
  return run.attempt > countForgiven(each, object.name);
}

/** What ended the move for good, without being our failure. */
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

/** Our write towards the desired revision stands; what was left as it failed is written once more when a person says so. */
function isWrittenFor(each: Case): boolean {
  const write = findOwnWrite(each.workload);
  return write?.run.target === each.owned.desired && write.run.attempt > countForgiven(each, each.key);
}

/** Its owner is rolling it out, or has since our move and it is not ready: whatever it waits for is in that deploy. */
function isOwnersRollout(each: Case): boolean {
  const { workload } = each;
  return isRollingByOwner(workload) || (isWrittenFor(each) && isDeployedSince(workload));
}

/** Written by us towards the desired revision and still on its way, while a run wants it. */
function findMove(each: Case): WorkloadState | undefined {
  const { workload, inventory, owned, cluster, site } = each;
  if (owned.run === undefined) return undefined;
  const wanted = { namespace: inventory.namespace, workload, site, facts: cluster.facts, desired: owned.desired };
  if (isUndoInFlight(wanted)) return { kind: "migrating", progress: "UndoRolling" };
  if (!isWrittenFor(each) || isTurnedAway(wanted) || isDeployedSince(workload)) return undefined;
  // Its owner holds pods back since our write: that is no failure of the move.
  if (workload.partition !== undefined) return undefined;
  const migration = judgeMigration(workload, resolveTarget(cluster.facts, owned.desired));
  return { kind: "migrating", progress: migration.kind === "migrating" ? migration.reason : "NotObserved" };
}

function findBlocker(each: Case): WaitingReason | undefined {
  const { workload, site, owned, cluster } = each;
  if (site.kind === "tag" && site.revision !== resolveTarget(cluster.facts, owned.desired)) {
    const { tag, revision } = site;
    return { code: "TagNotMoved", tag, revision, target: owned.desired };
  }
  if (workload.paused) return { code: "PausedByOwner" };
  if (workload.partition !== undefined) return { code: "Partitioned", partition: workload.partition };
  if (isOwnersRollout(each)) return { code: "OwnerRollout" };
  const allowsNothing = workload.replicas > 0 && workload.disruptionsAllowed === 0;
  return allowsNothing ? { code: "BudgetAllowsNothing" } : undefined;
}

/** Waiting for an owner ends after `readinessTimeout`; waiting for a tag does not: its owner is named and asked (rules 3.1, 5.3). */
function judgeBlocker(each: Case, blocker: WaitingReason): WorkloadState {
  const since = each.waitingSince.get(nameInFleet(each.cluster.name, each.key));
  const limit = findReadinessTimeout(each, each.head, each.owned.run);
  const isOver = blocker.code !== "TagNotMoved" && since !== undefined && each.now - since >= limit;
  return isOver
    ? { kind: "skipped", reason: { ...blocker, isOver: true }, waited: true }
    : { kind: "waiting", reason: blocker };
}

/** A merged `clusters.<name>.excluded` gives up what runs still ask of the cluster (rules 6.1). */
const findLeftCluster: Question = ({ cluster, head, owned }) =>
  owned.run !== undefined && head.settings.excludedClusters.includes(cluster.name)
    ? { kind: "skipped", reason: { code: "ClusterExcluded", cluster: cluster.name } }
    : undefined;

type Question = (each: Case) => WorkloadState | undefined;

const findUnmanaged: Question = ({ workload, inventory, cluster, isManaged }) => {
  const { namespace } = inventory;
  const namespaceManaged = isManaged.managed ? true : isManaged.reason;
  const managed = judgeManaged({ namespaceManaged, namespace, workload, cluster: cluster.facts });
  return managed.managed ? undefined : { kind: "unmanaged", reason: managed.reason };
};

// Nearly every judgement is one of two, and is kept with each workload of a fleet.
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

/** The owner's turn. A budget that allows nothing because pods are down already is no reason to wait: the try at the end is. */
const findOwnersTurn: Question = (each) => {
  const blocker = findBlocker(each);
  const isSick = !judgeHealth(each.workload).healthy;
  return blocker === undefined || (isSick && blocker.code === "BudgetAllowsNothing")
    ? undefined
    : judgeBlocker(each, blocker);
};

/**
 * In this order. What ended the move comes before refusals: a label that another manager put back may look like a
 * contradiction, and its cause is what people need.
 */
const questions: readonly Question[] = [
  findUnmanaged,
  findPresent,
  findLeftCluster,
  findFailure,
  findEnd,
  findRefusal,
  findMove,
  findLeftOut,
  findOwnersTurn,
];

/** The first of them that has an answer; else it is due. */
export function chooseState(each: Case): WorkloadState {
  for (const ask of questions) {
    const state = ask(each);
    if (state !== undefined) return state;
  }
  // A rollback does not wait for unhealthy workloads: what is broken is rolled back first (rules 2.3).
  const isSick = each.owned.rollbackSince === undefined && !judgeHealth(each.workload).healthy;
  const attempt = chooseAttempt(each);
  return !isSick && attempt === 1 ? firstTry : { kind: "pending", unhealthyBefore: isSick, attempt };
}

/** The first try of a turn, or one more than what was forgiven: another token, so that it restarts again. */
function chooseAttempt(each: Case): number {
  const tries = listMarked(each).map((marked) => {
    const { run } = marked.marks;
    const forgiven = countForgiven(each, marked.name);
    return run?.target === each.owned.desired ? Math.max(run.attempt, forgiven + 1) : forgiven + 1;
  });
  return each.site.kind === "namespace" ? Math.max(...tries) : (tries[0] ?? 1);
}
