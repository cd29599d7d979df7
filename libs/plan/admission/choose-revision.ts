import { isMarkedFailed, parseAnnotations, type TemplateFacts, type WorkloadRef } from "#libs/fleet";
import { lookUp } from "#libs/input";
import { isServed, readTag } from "#libs/injection";

import { findClosed, findRevisionObstacle, findRollbackObstacle } from "../conditions/index.ts";
import { describeSubject, type ExecutorSnapshot, isBrakedItem, isConfirmed } from "../moves/index.ts";
import { coversSubject } from "../stops/index.ts";
import { isInPlace, type JudgedWorkload } from "../workloads/index.ts";

/** What the pods of one namespace, that are about to be made, are decided by. */
export interface AdmissionQuestion {
  readonly snapshot: Pick<
    ExecutorSnapshot,
    "claim" | "control" | "mainAgeMs" | "ledgerDoubt" | "head" | "ledger" | "hasUnreadRun" | "now" | "stops" | "cluster"
  >;
  /** Ms. */
  readonly minDeploymentAge: number;
  /** The managed workloads of the namespace; at least one. */
  readonly workloads: readonly JudgedWorkload[];
  /** What its ConfigMap holds now. */
  readonly before: Readonly<Record<string, string>>;
  readonly templateOf: (ref: WorkloadRef) => TemplateFacts;
}

/** Which revision the namespace's pods are labelled to; absent = none is known. */
export interface RevisionChoice {
  readonly revision?: string;
  /** False: nothing that was not labelled before is labelled now. */
  readonly mayAdd: boolean;
  /** A rollback is in force: what was deployed lately goes back as well. */
  readonly isRollback?: true;
}

/** What stands, as long as an injector serves it: a pod with any other label would start without a sidecar. */
function keep({ before, snapshot }: AdmissionQuestion, mayAdd: boolean): RevisionChoice {
  const revision = lookUp(before, "revision");
  const { facts } = snapshot.cluster;
  const isKnown = revision !== undefined && (isServed(facts, revision) || readTag(facts, revision) !== undefined);
  return isKnown ? { revision, mayAdd } : { mayAdd: false };
}

/** It was moved there by us and did not fail, whatever its owner has deployed since. */
function wasMoved({ workload, desired }: JudgedWorkload): boolean {
  const marks = parseAnnotations(workload);
  return marks.kind === "read" && marks.run?.target === desired && !isMarkedFailed(marks, desired);
}

/**
 * The executor's own moves have come to this namespace, or are through with it. That its wave is open is not enough: pods which
 * are replaced before its turn would be a batch that no batch size bounds.
 */
function hasBegun({ workloads }: AdmissionQuestion): boolean {
  return workloads.some(wasMoved) || workloads.every(({ state }) => isInPlace(state));
}

/** A rollback that is in force goes before everything but what stops rollbacks too, also where git does not confirm it. */
function findRollback(question: AdmissionQuestion, first: JudgedWorkload): RevisionChoice | undefined {
  const { snapshot } = question;
  const { run, rollbackSince, desired } = first;
  if (run === undefined || rollbackSince === undefined) return undefined;
  const isEvident = isConfirmed(snapshot) || isBrakedItem(snapshot, { run: run.id }, rollbackSince);
  const isHeld = snapshot.stops.some((stop) => coversSubject(stop, describeSubject(first, run.id)));
  if (!isEvident || isHeld) return keep(question, false);
  if (findRollbackObstacle(snapshot.cluster.facts, desired) !== undefined) return keep(question, false);
  return { revision: desired, mayAdd: true, isRollback: true };
}

/** The wave of the run that wants it is open here; where no open run does, all its waves were. */
function isWaveOpen({ snapshot }: AdmissionQuestion, { run }: JudgedWorkload): boolean {
  return run === undefined || lookUp(run.clusters, snapshot.cluster.name) !== undefined;
}

/** Main and ledger are known, they name the same runs, and nothing holds the namespace. */
function isFree({ snapshot }: AdmissionQuestion, first: JudgedWorkload): boolean {
  const { head, ledger, hasUnreadRun = false, stops, now } = snapshot;
  if (!isConfirmed(snapshot) || head === undefined || ledger === undefined) return false;
  // A change of main whose run is not on record yet has no wave; of one whose files are not read it is unknown.
  if ((ledger.ahead?.length ?? 0) > 0 || hasUnreadRun) return false;
  if (findClosed(head, first.run, now) !== undefined) return false;
  return !stops.some((stop) => coversSubject(stop, describeSubject(first, first.run?.id ?? "")));
}

/**
 * The revision of a namespace's new pods (rules 11.1). It follows the executor's own moves and never leads them; what is
 * unknown, stopped or not open yet changes nothing in it.
 */
export function chooseRevision(question: AdmissionQuestion): RevisionChoice {
  const { snapshot, workloads } = question;
  const [first] = workloads;
  if (first === undefined || snapshot.claim !== "own" || !snapshot.cluster.fresh) return keep(question, false);
  const rollback = findRollback(question, first);
  if (rollback !== undefined) return rollback;
  if (!isFree(question, first)) return keep(question, false);
  const isReached = isWaveOpen(question, first) && hasBegun(question);
  const isReady = findRevisionObstacle(snapshot.cluster.facts, first.desired) === undefined;
  return isReached && isReady ? { revision: first.desired, mayAdd: true } : keep(question, true);
}
