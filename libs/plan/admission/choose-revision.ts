import {
  type AdmissionMap,
  hasFailureAnnotation,
  parseAnnotations,
  type TemplateFacts,
  type WorkloadRef,
} from "#libs/fleet";
import { lookUp } from "#libs/input";
import { isServed, readTag } from "#libs/injection";

import { findClosed, findRevisionObstacle, findRollbackObstacle } from "../conditions/index.ts";
import { describeSubject, type ExecutorSnapshot, isItemRolledBackNow, isConfirmed } from "../moves/index.ts";
import { coversSubject } from "../stops/index.ts";
import { isInPlace, type JudgedWorkload } from "../workloads/index.ts";

/** The facts that decide about the new pods of one namespace. */
export interface AdmissionQuestion {
  readonly snapshot: Pick<
    ExecutorSnapshot,
    "claim" | "control" | "mainAgeMs" | "ledgerDoubt" | "head" | "ledger" | "hasUnreadRun" | "now" | "stops" | "cluster"
  >;
  /** The least age of a deploy before its pods are labelled, ms. */
  readonly minDeploymentAge: number;
  /** The workloads of the namespace (`groupForAdmission`); at least one. */
  readonly workloads: readonly JudgedWorkload[];
  /** The present data of its ConfigMap. */
  readonly before: AdmissionMap;
  readonly templateOf: (ref: WorkloadRef) => TemplateFacts;
}

/** The revision that the namespace's new pods get; absent = none is known. */
export interface RevisionChoice {
  readonly revision?: string;
  /** False: templates without a label so far get none now. */
  readonly mayAdd: boolean;
  /** A rollback is in force: workloads that were deployed lately are labelled too. */
  readonly isRollback?: true;
  /** A stop holds the namespace: what is not in place yet keeps its own label. */
  readonly isStopped?: true;
}

/** Undefined where nothing serves the revision: with its label a pod would start without a sidecar. */
export function findServed({ snapshot }: AdmissionQuestion, revision: string | undefined): string | undefined {
  const { facts } = snapshot.cluster;
  const isKnown = revision !== undefined && (isServed(facts, revision) || readTag(facts, revision) !== undefined);
  return isKnown ? revision : undefined;
}

/** Keeps the present revision while something serves it. */
function keepRevision(question: AdmissionQuestion, mayAdd: boolean): RevisionChoice {
  const revision = findServed(question, lookUp(question.before, "revision"));
  return revision === undefined ? { mayAdd: false } : { revision, mayAdd };
}

/** The same about the workloads that are in the mesh: those outside have no revision to leave. */
function omitOutside(question: AdmissionQuestion): AdmissionQuestion {
  return { ...question, workloads: question.workloads.filter(({ state }) => state.kind !== "unmanaged") };
}

/** Our move to the desired revision did not fail, even if its owner has deployed since. */
function wasMoved({ workload, desired }: JudgedWorkload): boolean {
  const marks = parseAnnotations(workload);
  return marks.kind === "read" && marks.run?.target === desired && !hasFailureAnnotation(marks, desired);
}

/**
 * The executor has moved a workload of the namespace, or all of them are in place. An open wave is not enough: pods that are
 * replaced before their turn would be a batch without a size.
 */
function hasBegun({ workloads }: AdmissionQuestion): boolean {
  return workloads.some(wasMoved) || workloads.every(({ state }) => isInPlace(state));
}

/**
 * The choice during a rollback, which goes before all else; undefined without one. It needs no confirmation by git, and only
 * stops that hold rollbacks hold it.
 */
function findRollback(question: AdmissionQuestion, first: JudgedWorkload): RevisionChoice | undefined {
  const { snapshot } = question;
  const { run, rollbackSince, desired } = first;
  if (run === undefined || rollbackSince === undefined) return undefined;
  const isEvident = isConfirmed(snapshot) || isItemRolledBackNow(snapshot, { run: run.id }, rollbackSince);
  const isHeld = snapshot.stops.some((stop) => coversSubject(stop, describeSubject(first, run.id)));
  if (!isEvident || isHeld) return keepRevision(question, false);
  if (findRollbackObstacle(snapshot.cluster.facts, desired) !== undefined) return keepRevision(question, false);
  return { revision: desired, mayAdd: true, isRollback: true };
}

/**
 * Strategy `OnDeploy`: new pods are what moves the workload, so that its open wave is enough. Each pod that is replaced was going to be
 * replaced without meshroll, by its owner or with its node.
 */
export function isLeftToDeploys({ state }: JudgedWorkload): boolean {
  return state.kind === "waiting" && state.reason.code === "AwaitsDeploy";
}

/**
 * The wave of the run that wants the workload is open here, by the ledger: a judged workload may have an older record of its run.
 * Without an open run, all its waves were.
 */
function isWaveOpen({ snapshot: { ledger, cluster } }: AdmissionQuestion, { run }: JudgedWorkload): boolean {
  return run === undefined || lookUp(lookUp(ledger?.runs, run.id)?.clusters, cluster.name) !== undefined;
}

/** The run's moves, or owners' deploys in its open wave, have come to the namespace. */
function isReached(question: AdmissionQuestion, first: JudgedWorkload): boolean {
  const hasCome = question.workloads.some(isLeftToDeploys) || hasBegun(omitOutside(question));
  return hasCome && isWaveOpen(question, first);
}

function isStopped({ snapshot: { stops } }: AdmissionQuestion, first: JudgedWorkload): boolean {
  return stops.some((stop) => coversSubject(stop, describeSubject(first, first.run?.id ?? "")));
}

/** Git confirms main and ledger, the ledger knows every run of main, and the calendar does not hold the namespace. */
function isFree({ snapshot }: AdmissionQuestion, first: JudgedWorkload): boolean {
  const { head, ledger, hasUnreadRun = false, now } = snapshot;
  if (!isConfirmed(snapshot) || head === undefined || ledger === undefined) return false;
  // A change of main that is not recorded as a run yet has no waves, and with unread files nothing is known about them.
  if ((ledger.ahead?.length ?? 0) > 0 || hasUnreadRun) return false;
  return findClosed(head, first.run, now) === undefined;
}

/**
 * The revision of a namespace's new pods (rules 11.1). It follows the executor's own moves and never leads them, unless the
 * strategy leaves them to deploys; unknown facts, stops and closed waves leave it as it is.
 */
export function chooseRevision(question: AdmissionQuestion): RevisionChoice {
  const { snapshot, workloads } = question;
  const [first] = workloads;
  if (first === undefined || snapshot.claim !== "own" || !snapshot.cluster.fresh) return keepRevision(question, false);
  const rollback = findRollback(question, first);
  if (rollback !== undefined) return rollback;
  if (isStopped(question, first)) return { ...keepRevision(question, false), isStopped: true };
  if (!isFree(question, first)) return keepRevision(question, false);
  const isReady = findRevisionObstacle(snapshot.cluster.facts, first.desired) === undefined;
  return isReady && isReached(question, first)
    ? { revision: first.desired, mayAdd: true }
    : keepRevision(question, true);
}
