import { findNamed, lookUp } from "#libs/input";
import { readMarks } from "#libs/fleet";
import {
  nameEndVerb,
  planner,
  printStopEnd,
  printText,
  renderTransition,
  type TransitionReason,
  type TransitionReasonOf,
} from "#libs/wording";

import {
  type CarriedOut,
  type LedgerChange,
  type LedgerDecision,
  type LedgerState,
  nameInFleet,
  nameWorkload,
  printTime,
  type RunRecord,
  type RunStep,
  type Snapshot,
  type StopRecord,
  type VerbRequest,
} from "../records/index.ts";
import { listMainRuns } from "../main/index.ts";
import { isRunGuardStop, listRecordedStops } from "../stops/index.ts";
import { openAgain, restoreRun } from "./summarise-ended.ts";
import { adoptRewrittenMain } from "./adopt-rewritten-main.ts";
import { openCluster } from "./discover-runs.ts";
import { dropProgress, keepProgress, keepProgressOf } from "./keep-progress.ts";
import { makeRollbackHolds } from "./rollback-holds.ts";

/** The number of the next transition; every ledger commit names main's head that it was decided on (rules 8.2). */
export function stamp(snapshot: Snapshot, ledger: LedgerState): Pick<LedgerChange, "sequence" | "main"> {
  // Only the resume of its stop adopts a rewritten main.
  const main = snapshot.main.contained ? snapshot.main.head : ledger.main;
  return { main, sequence: ledger.sequence + 1 };
}

/** A transition that changes one run. */
export function changeRun(snapshot: Snapshot, ledger: LedgerState, run: RunRecord, step: RunStep): LedgerChange {
  return { ...stamp(snapshot, ledger), runs: [{ run, steps: [step] }] };
}

type Resume = NonNullable<StopRecord["resume"]>;

/** Whether all waves open at once: only a campaign's forward run opens them one after the other. */
function opensAtOnce({ campaign, changes }: RunRecord): boolean {
  return campaign === undefined || changes.every(({ direction }) => direction === "rollback");
}

/**
 * Clusters of earlier runs. After a wipe of the bus they are not seen yet, and without them a run would end too early or open
 * waves out of order (rules 3.4, 6.1). Excluded clusters are left out.
 */
function listRemembered(
  snapshot: Snapshot,
  ledger: LedgerState,
  { commit }: Pick<RunRecord, "commit">,
): readonly string[] {
  const skipped = snapshot.specs.get(commit)?.settings.excludedClusters ?? [];
  const names = new Set<string>();
  // A converging run had only the clusters that it named.
  for (const { clusters, expected = [], state } of listMainRuns(ledger).toReversed()) {
    for (const name of [...Object.keys(clusters), ...expected]) names.add(name);
    // A run that is over has seen every cluster of its time.
    if (state !== "open") break;
  }
  return [...names].filter((name) => !skipped.includes(name));
}

/** A run begins; clusters whose wave is not open yet are expected, so that it cannot be done before they were seen. */
export function startRun(snapshot: Snapshot, ledger: LedgerState, run: RunRecord, judged: string): LedgerDecision {
  const known = [...snapshot.clusters.values()];
  const opening = known.filter((each) => each.fresh && opensAtOnce(run));
  const clusters = Object.fromEntries(opening.map((each) => [each.name, openCluster(each, snapshot.now)]));
  const awaited = [...known.map(({ name }) => name), ...listRemembered(snapshot, ledger, run)];
  const expected = [...new Set(awaited)].filter((name) => lookUp(clusters, name) === undefined);
  const named = expected.length === 0 ? {} : { expected: expected.toSorted() };
  const started: RunRecord = { ...run, startedAt: printTime(snapshot.now), clusters, ...named };
  const holds = makeRollbackHolds(started, ledger);
  const { id, subject, author } = run;
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    judged,
    runs: [{ run: started, steps: [{ kind: "started" }] }, ...keepProgress(snapshot, ledger, started)],
    ...(holds.length === 0 ? {} : { stops: holds.map((stop) => ({ stop, step: "placed" })) }),
  };
  const scopes = holds.map(({ scope }) => scope);
  return { kind: "startRun", change, reason: { code: "MainChanged", run: id, subject, author, holds: scopes } };
}

/** Main's new commits change no distribution. */
export function judgeMain(snapshot: Snapshot, ledger: LedgerState, judged: string): LedgerDecision {
  return {
    kind: "judge",
    change: { ...stamp(snapshot, ledger), judged },
    reason: { code: "NothingChanged", commit: judged },
  };
}

/** Records a stop, and its verb as carried out. */
export function placeStop(
  snapshot: Snapshot,
  ledger: LedgerState,
  stop: StopRecord,
  request?: VerbRequest,
): LedgerDecision {
  const { id, scope, why, who } = stop;
  const reason: TransitionReason = { code: "StopPlaced", stop: id, scope, why, who };
  const { stops: restored, runs: back = [] } = restoreRun(ledger, stop.scope);
  const undone = keepProgressOf(snapshot, ledger, stop);
  const runs = [...back, ...undone];
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    ...(runs.length === 0 ? {} : { runs }),
    stops: [...(restored ?? []), { stop, step: "placed" }],
    ...(request === undefined ? {} : carryOut(snapshot, ledger, request, reason)),
  };
  return { kind: "placeStop", change, reason };
}

/** The age in ms after which a carried out verb's id is dropped, so that the ledger's tree does not grow with every verb. */
const rememberRequestsMs = 30 * 86_400_000;

/** Ids of verbs that are dropped at `now`, epoch ms. */
export function listOldRequests(ledger: LedgerState, now: number): readonly string[] {
  const oldest = printTime(now - rememberRequestsMs);
  return Object.entries(ledger.requests).flatMap(([id, { at }]) => (at >= oldest ? [] : [id]));
}

function carryOut(
  snapshot: Snapshot,
  ledger: LedgerState,
  request: VerbRequest,
  reason: TransitionReason,
  outcome?: CarriedOut["outcome"],
): Pick<LedgerChange, "requests" | "forgotten"> {
  const answer = printText(renderTransition(reason).message);
  const carriedOut = { at: printTime(snapshot.now), answer, ...(outcome === undefined ? {} : { outcome }) };
  const requests = listOldRequests(ledger, snapshot.now);
  return { requests: { [request.id]: carriedOut }, ...(requests.length === 0 ? {} : { forgotten: { requests } }) };
}

/** Why a verb changes nothing: it cannot be carried out, or there is nothing to do. */
const outcomes = {
  StopKnown: "refused",
  RollbackRefused: "refused",
  NothingToResume: "nothing",
  NothingToRetry: "nothing",
  NothingToConverge: "nothing",
  TooMuchToConverge: "refused",
} as const;

type Unchanged = TransitionReasonOf<keyof typeof outcomes>;

/** Answers a verb that changes nothing, and records it so that it is not carried out again. */
export function answerRequest(
  snapshot: Snapshot,
  ledger: LedgerState,
  request: VerbRequest,
  reason: Unchanged,
): LedgerDecision {
  const carriedOut = carryOut(snapshot, ledger, request, reason, outcomes[reason.code]);
  return { kind: "answerRequest", change: { ...stamp(snapshot, ledger), ...carriedOut }, reason };
}

/** The records that a resume names by id, or all on exactly its scope (rules 7.5). */
function findResumed(ledger: LedgerState, { scope, stops }: VerbRequest): readonly StopRecord[] {
  return listRecordedStops(ledger).filter((stop) =>
    stops === undefined ? stop.scope === scope : stops.includes(stop.id),
  );
}

/** The run's present failures, including those after its stop: the person who ends the stop has seen them (rules 3.3). */
function listFailedObjects(snapshot: Snapshot, run: string): readonly string[] {
  const names: string[] = [];
  const isOf = (object: Parameters<typeof readMarks>[0]): boolean => {
    const marks = readMarks(object);
    return marks.kind === "read" && marks.failed !== undefined && marks.run?.run === run;
  };
  for (const cluster of snapshot.clusters.values()) {
    for (const { namespace, workloads } of cluster.namespaces.values()) {
      if (isOf(namespace)) names.push(nameInFleet(cluster.name, `${namespace.name}/*`));
      for (const each of workloads) {
        if (isOf(each)) names.push(nameInFleet(cluster.name, nameWorkload(each)));
      }
    }
  }
  return names;
}

/** Adds the run's present failures to each stop that was placed for failures, so that they do not count again. */
export function addPresentFailures(snapshot: Snapshot, stops: readonly StopRecord[]): readonly StopRecord[] {
  return stops.map((stop) => {
    if (!isRunGuardStop(stop)) return stop;
    const seen = listFailedObjects(snapshot, findNamed("run", stop.scope) ?? "");
    return { ...stop, failures: [...new Set([...(stop.failures ?? []), ...seen])].toSorted() };
  });
}

/** These stops, resumed; empty without any. */
export function markResumed(resumed: readonly StopRecord[], resume: Resume): Pick<LedgerChange, "stops"> {
  if (resumed.length === 0) return {};
  return { stops: resumed.map((stop) => ({ stop: { ...stop, resume }, step: "resumed" })) };
}

/** Resumes recorded stops, and closes runs whose commit is gone after main was rewritten. */
export function resumeStops(snapshot: Snapshot, ledger: LedgerState, request: VerbRequest): LedgerDecision {
  const resumed = findResumed(ledger, request);
  if (resumed.length === 0) {
    const { scope, stops, strength, who } = request;
    const verb = strength === "propose" ? "unhold" : "resume";
    const missing = stops === undefined ? { scope } : { stops };
    return answerRequest(snapshot, ledger, request, { code: "NothingToResume", verb, missing, who });
  }
  const { who, why } = request;
  const resume = { at: printTime(snapshot.now), who, why };
  const stops = resumed.map((stop) => stop.id);
  const scopes = [...new Set(resumed.map((stop) => stop.scope))];
  const reason: TransitionReason = { code: "StopResumed", verb: nameEndVerb(resumed), stops, scopes, who, why };
  const rewritten = resumed.some((stop) => stop.cause === "forcedPush") ? adoptRewrittenMain(snapshot, ledger) : {};
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    ...dropProgress(ledger, resumed),
    ...markResumed(addPresentFailures(snapshot, resumed), resume),
    ...carryOut(snapshot, ledger, request, reason),
    ...rewritten,
  };
  return { kind: "resumeStop", change, reason };
}

/** A rollback is complete as far as files go: main says the same. Its hold stays (rules 2.4). */
export function endRollback(snapshot: Snapshot, ledger: LedgerState, stop: StopRecord): LedgerDecision {
  const { head: main } = snapshot.main;
  const why = printStopEnd({ code: "SaidByMain", main });
  const resume = { at: printTime(snapshot.now), who: planner, why };
  const change = { ...stamp(snapshot, ledger), ...markResumed([stop], resume) };
  return { kind: "resumeStop", change, reason: { code: "RollbackOver", stop: stop.id, scope: stop.scope, main } };
}

/** Forgiven workloads become pending with one more try; an ended run continues (rules 3.3). */
export function retryRun(
  snapshot: Snapshot,
  ledger: LedgerState,
  run: RunRecord,
  tries: Readonly<Record<string, number>>,
  request: VerbRequest,
): LedgerDecision {
  const restored = restoreRun(ledger, request.scope);
  const live = restored.runs?.find((each) => each.run.id === run.id)?.run ?? lookUp(ledger.runs, run.id) ?? run;
  const again = openAgain(live, { ...run.retried, ...tries });
  const { who, why } = request;
  const resume = { at: printTime(snapshot.now), who, why };
  // Archived stops are resumed already.
  const failed = listRecordedStops(ledger).filter((stop) => stop.scope === request.scope && isRunGuardStop(stop));
  const { stops: resumed = [] } = markResumed(addPresentFailures(snapshot, failed), resume);
  const stops = [...(restored.stops ?? []), ...resumed];
  const reason: TransitionReason = { code: "Retried", run: run.id, workloads: Object.keys(tries), who, why };
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    runs: [{ run: again, steps: [{ kind: "retried" }] }],
    ...(stops.length === 0 ? {} : { stops }),
    ...carryOut(snapshot, ledger, request, reason),
  };
  return { kind: "retryRun", change, reason };
}

/** Starts converging runs; `request`: the verb, if any. */
export function startConverging(
  snapshot: Snapshot,
  ledger: LedgerState,
  runs: readonly RunRecord[],
  asked: Pick<VerbRequest, "scope" | "who" | "why"> & { readonly workloads: number },
  request?: VerbRequest,
): LedgerDecision {
  const reason: TransitionReason = { code: "Converging", runs: runs.map(({ id }) => id), ...asked };
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    runs: runs.map((run) => ({ run, steps: [{ kind: "started" }] })),
    ...(request === undefined ? {} : carryOut(snapshot, ledger, request, reason)),
  };
  return { kind: "converge", change, reason };
}
