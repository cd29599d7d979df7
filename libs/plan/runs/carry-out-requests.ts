import { lookUp } from "#libs/input";
import { hasFailureAnnotation, readMarks, type ReadAnnotations } from "#libs/fleet";
import { judgeOverwritten, type AnnotatedObject } from "#libs/injection";
import type { RollbackRefusal, TransitionReasonOf } from "#libs/wording";

import { answerRequest, isUnread, placeStop, resumeStops, retryRun } from "../transitions/index.ts";
import {
  findRollbackOf,
  type LedgerDecision,
  type LedgerState,
  listOpenRequests,
  nameInFleet,
  nameWorkload,
  printTime,
  type RunRecord,
  type Snapshot,
  type Spec,
  type StopRecord,
  type VerbRequest,
} from "../records/index.ts";
import { createOwnership, type Ownership } from "../workloads/index.ts";
import { listForwardBuckets } from "../main/index.ts";
import { describeRolledBack } from "./describe-rolled-back.ts";
import { collectStops, findRun, refuseTarget } from "../stops/index.ts";

/** With the time of recording, because "placed later" is judged by one clock, the planner's. */
function makeStop(snapshot: Snapshot, { id, scope, strength, who, why, until }: VerbRequest): StopRecord {
  const at = printTime(snapshot.now);
  const stop = { id, scope, strength, at, who, why, cause: "verb" as const };
  return until === undefined ? stop : { ...stop, until };
}

/** Answers a verb whose id another record already has; that record is not overwritten. */
function refuseKnown(snapshot: Snapshot, ledger: LedgerState, request: VerbRequest): LedgerDecision | undefined {
  if (lookUp(ledger.stops, request.id) === undefined) return undefined;
  return answerRequest(snapshot, ledger, request, { code: "StopKnown", stop: request.id, who: request.who });
}

/** Why a run cannot be rolled back; undefined when it can. */
function refuseRollback(
  { specs, main }: Snapshot,
  ledger: LedgerState,
  request: VerbRequest,
  run: RunRecord,
): RollbackRefusal | undefined {
  if (run.state === "gone") return { code: "CommitVanished", run: run.id };
  if (run.converge !== undefined) return { code: "IsConverging", run: run.id };
  if (listForwardBuckets(run).length === 0) return { code: "IsRollback", run: run.id };
  const { revertTo: commit = run.before, now = false } = request;
  return refuseTarget(main, ledger, run, { commit, to: specs.get(commit), now });
}

/** Stops the run at once. Its buckets are set back because of the stop's `revertTo` (rules 2.2, 2.4). */
function rollBack(snapshot: Snapshot, ledger: LedgerState, request: VerbRequest): LedgerDecision {
  const run = findRun(ledger, request.scope);
  const refuse = (refusal: RollbackRefusal): LedgerDecision =>
    answerRequest(snapshot, ledger, request, { code: "RollbackRefused", refusal, who: request.who });
  if (run === undefined) return refuse({ code: "NoSuchRun", scope: request.scope });
  const refusal = refuseRollback(snapshot, ledger, request, run);
  if (refusal !== undefined) return refuse(refusal);
  const stop: StopRecord = {
    ...makeStop(snapshot, request),
    strength: "move",
    cause: "rollback",
    revertTo: request.revertTo ?? run.before,
    ...(request.now === undefined ? {} : { now: request.now }),
  };
  return placeStop(snapshot, ledger, stop, request);
}

/** Order of verbs: a rollback begins with its record, so it comes first; then stops; then verbs that end stops. */
const turns = { rollback: 0, stop: 1, resume: 2, retry: 3, converge: 3 } as const;

/** The next verb to carry out. An earlier verb on the same scope comes first, so that an old resume never ends a newer stop. */
function chooseNext(byTime: readonly VerbRequest[]): VerbRequest | undefined {
  const [next] = byTime.toSorted((a, b) => turns[a.verb] - turns[b.verb]);
  return byTime.find((each) => each === next || (each.scope === next?.scope && each.stops === undefined));
}

/**
 * Carries out the next verb that is not recorded yet. Retry and converge need a main that parses and come later
 * (`carryOutRetry`, `carryOutConverge`).
 */
export function carryOutRequests(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  const request = chooseNext(listOpenRequests(snapshot.requests, ledger, ["stop", "resume", "rollback"]));
  switch (request?.verb) {
    case undefined:
    case "retry":
    case "converge":
      return undefined;
    case "resume":
      return resumeStops(snapshot, ledger, request);
    case "rollback":
      return refuseKnown(snapshot, ledger, request) ?? rollBack(snapshot, ledger, request);
    case "stop":
      return (
        refuseKnown(snapshot, ledger, request) ?? placeStop(snapshot, ledger, makeStop(snapshot, request), request)
      );
  }
}

/** Unhealthy before the run, tried once and put back. */
function isTriedAndUndone({ run, previous }: ReadAnnotations, target: string): boolean {
  return run?.target === target && run.unhealthyBefore && previous === undefined;
}

/**
 * Which moves besides failed ones a retry takes: those of workloads that were unhealthy before where it names workloads, and those
 * that an owner ended where the run is still open. After its end these are drift.
 */
interface Taken {
  readonly unhealthy: boolean;
  readonly overwritten: boolean;
}

/** The number of attempts when the object's move to the target has ended; undefined when none ended. */
function countTries(object: AnnotatedObject, target: string, taken: Taken): number | undefined {
  const marks = readMarks(object);
  if (marks.kind === "unreadable") return undefined;
  const isOver =
    hasFailureAnnotation(marks, target) ||
    (taken.unhealthy && isTriedAndUndone(marks, target)) ||
    (taken.overwritten && judgeOverwritten(object)?.target === target);
  return isOver ? (marks.run?.attempt ?? 1) : undefined;
}

/** The ownership once the run is open again. Workloads that a later run took over belong to that run. */
function openAgain(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  run: RunRecord,
): (namespace: string) => Ownership {
  const opened: LedgerState = { ...ledger, runs: { ...ledger.runs, [run.id]: { ...run, state: "open" } } };
  const stops = collectStops(ledger, snapshot.requests, snapshot.clusters.values(), { head, specs: snapshot.specs });
  return createOwnership(head, opened, snapshot.specs, stops);
}

/**
 * The objects of the run whose move has ended, by `cluster:namespace/Kind/name` (or `cluster:namespace/*`), with their number
 * of attempts.
 */
function listEnded(
  snapshot: Snapshot,
  run: RunRecord,
  ownerOf: (namespace: string) => Ownership,
  taken: Taken,
): Readonly<Record<string, number>> {
  const tries = new Map<string, number>();
  for (const cluster of snapshot.clusters.values()) {
    for (const { namespace, workloads } of cluster.namespaces.values()) {
      const owned = ownerOf(namespace.name);
      if (owned.run?.id !== run.id) continue;
      const target = owned.desired;
      const own = countTries(namespace, target, taken);
      if (own !== undefined) tries.set(nameInFleet(cluster.name, `${namespace.name}/*`), own);
      for (const workload of workloads) {
        const count = countTries(workload, target, taken);
        if (count !== undefined) tries.set(nameInFleet(cluster.name, nameWorkload(workload)), count);
      }
    }
  }
  return Object.fromEntries(tries);
}

/** Whether `whole`, as `cluster:namespace/*`, is the namespace of the named object. */
function isWithin(name: string, whole: string): boolean {
  return whole.endsWith("/*") && name.startsWith(whole.slice(0, -1));
}

/** At least one workload is named, and not only namespaces. */
function namesWorkload(names: readonly string[] | undefined): boolean {
  return names?.some((each) => !each.endsWith("/*")) === true;
}

/**
 * A namespace that failed as a whole is retried as a whole, whichever of its workloads is named. A namespace that is named alone means
 * all that failed in it; next to a workload it only goes along with that one.
 */
function isNamed(name: string, names: readonly string[]): boolean {
  if (names.includes(name) || names.some((each) => isWithin(each, name))) return true;
  return !namesWorkload(names) && names.some((each) => isWithin(name, each));
}

function pickNamed(
  ended: Readonly<Record<string, number>>,
  names: readonly string[] | undefined,
): Readonly<Record<string, number>> {
  return names === undefined
    ? ended
    : Object.fromEntries(Object.entries(ended).filter(([name]) => isNamed(name, names)));
}

/** The run's record and the files before and after it are available. */
function isAtHand({ specs }: Snapshot, { archived, commit, before, state }: RunRecord): boolean {
  return archived !== "unreadable" && state !== "gone" && specs.has(commit) && specs.has(before);
}

/** Without the namespaces that go along with workloads. */
function listTyped(workloads: readonly string[]): readonly string[] {
  const named = workloads.filter((name) => !name.endsWith("/*"));
  return named.length === 0 ? workloads : named;
}

type Unretried = TransitionReasonOf<"NothingToRetry">["missing"];

function refuseRetry({ scope }: VerbRequest, run: RunRecord | undefined): Unretried {
  return { kind: run?.archived === "unreadable" ? "unreadable" : "tooOld", scope };
}

/** Why none of these workloads can be retried; without names, none of the run. */
function nameMissing(ledger: LedgerState, run: RunRecord, workloads: readonly string[] | undefined): Unretried {
  const by = findRollbackOf(run, Object.values(ledger.runs));
  if (by !== undefined) return describeRolledBack(ledger, run, by);
  return workloads === undefined
    ? { kind: "noneFailed", run: run.id }
    : { kind: "notFailed", run: run.id, workloads: listTyped(workloads) };
}

/** Carries out the oldest retry. The ledger forgives the attempts; the next write replaces the annotations on the objects. */
export function carryOutRetry(snapshot: Snapshot, ledger: LedgerState): LedgerDecision | undefined {
  const request = listOpenRequests(snapshot.requests, ledger, ["retry"]).find((each) => !isUnread(each, ledger));
  if (request === undefined) return undefined;
  const run = findRun(ledger, request.scope);
  const head = snapshot.specs.get(snapshot.main.head);
  if (run === undefined || head === undefined || !isAtHand(snapshot, run)) {
    const missing = refuseRetry(request, run);
    return answerRequest(snapshot, ledger, request, { code: "NothingToRetry", missing, who: request.who });
  }
  // A workload that was unhealthy before, or that its owner put back, was not our failure: a request has to name it.
  const { workloads } = request;
  const isExact = namesWorkload(workloads);
  const taken = { unhealthy: isExact, overwritten: isExact && run.state === "open" };
  const tries = pickNamed(listEnded(snapshot, run, openAgain(snapshot, ledger, head, run), taken), workloads);
  if (Object.keys(tries).length > 0) return retryRun(snapshot, ledger, run, tries, request);
  const missing = nameMissing(ledger, run, workloads);
  return answerRequest(snapshot, ledger, request, { code: "NothingToRetry", missing, who: request.who });
}
