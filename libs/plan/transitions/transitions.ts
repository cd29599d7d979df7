import { findNamed, lookUp } from "#libs/input";
import { readMarks } from "#libs/fleet";
import {
  printStopCause,
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
import { listRolledBackBuckets } from "../main/index.ts";
import { isProof, listRecordedStops } from "../stops/index.ts";
import { restoreRun } from "./summarise-ended.ts";
import { adoptRewrittenMain } from "./adopt-rewritten-main.ts";
import { openCluster } from "./discover-runs.ts";

/** The number of the next transition; every ledger commit names the main head that it was decided on (rules 8.2). */
export function stamp(snapshot: Snapshot, ledger: LedgerState): Pick<LedgerChange, "sequence" | "main"> {
  // A rewritten main is adopted by the resume of its stop, never by another record that happens to come first.
  const main = snapshot.main.contained ? snapshot.main.head : ledger.main;
  return { main, sequence: ledger.sequence + 1 };
}

/** One transition that changes one run. */
export function changeRun(snapshot: Snapshot, ledger: LedgerState, run: RunRecord, step: RunStep): LedgerChange {
  return { ...stamp(snapshot, ledger), runs: [{ run, steps: [step] }] };
}

type Resume = NonNullable<StopRecord["resume"]>;

/** Every return leaves its hold, in the very commit that starts its run; only a person ends it (rules 2.2). */
function makeRollbackHolds(run: RunRecord): readonly StopRecord[] {
  return listRolledBackBuckets(run).map((pattern, index) => ({
    id: `rollback-${run.id}-${index + 1}`,
    scope: `bucket/${pattern}`,
    strength: "move",
    at: run.startedAt,
    who: run.author,
    why: printStopCause({ code: "RolledBack", run: run.id, subject: run.subject }),
    cause: "rolledBack",
    rollbackOf: run.id,
  }));
}

/** A campaign's forward run opens its waves one after the other, by its gates and windows; any other is one wave of all. */
function opensAtOnce({ campaign, changes }: RunRecord): boolean {
  return campaign === undefined || changes.every(({ direction }) => direction === "rollback");
}

/**
 * Clusters that the newest runs knew: after the bus was wiped they were not seen yet, and a run that forgets them ends
 * without them, or opens their waves out of order (rules 3.4, 6.1). Those skipped when it begins are not awaited.
 */
function listRemembered(
  snapshot: Snapshot,
  { runs }: LedgerState,
  { commit }: Pick<RunRecord, "commit">,
): readonly string[] {
  const skipped = snapshot.specs.get(commit)?.settings.excludedClusters ?? [];
  const names = new Set<string>();
  // What converged was about the clusters that it named.
  const living = Object.values(runs).filter(({ state, converge }) => state !== "gone" && converge === undefined);
  for (const { clusters, expected = [], state } of living.toSorted((a, b) => b.order - a.order)) {
    for (const name of [...Object.keys(clusters), ...expected]) names.add(name);
    // One that is over has seen every cluster that there was.
    if (state !== "open") break;
  }
  return [...names].filter((name) => !skipped.includes(name));
}

/** A run begins; clusters whose wave does not open with it are expected: it is not done before they were looked at. */
export function startRun(snapshot: Snapshot, ledger: LedgerState, run: RunRecord, judged: string): LedgerDecision {
  const known = [...snapshot.clusters.values()];
  const opening = known.filter((each) => each.fresh && opensAtOnce(run));
  const clusters = Object.fromEntries(opening.map((each) => [each.name, openCluster(each, snapshot.now)]));
  const awaited = [...known.map(({ name }) => name), ...listRemembered(snapshot, ledger, run)];
  const expected = [...new Set(awaited)].filter((name) => lookUp(clusters, name) === undefined);
  const named = expected.length === 0 ? {} : { expected: expected.toSorted() };
  const started: RunRecord = { ...run, startedAt: printTime(snapshot.now), clusters, ...named };
  const holds = makeRollbackHolds(started);
  const { id, subject, author } = run;
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    judged,
    runs: [{ run: started, steps: [{ kind: "started" }] }],
    ...(holds.length === 0 ? {} : { stops: holds.map((stop) => ({ stop, step: "placed" })) }),
  };
  const scopes = holds.map(({ scope }) => scope);
  return { kind: "startRun", change, reason: { code: "MainChanged", run: id, subject, author, holds: scopes } };
}

/** Main went on without changing an answer. */
export function judgeMain(snapshot: Snapshot, ledger: LedgerState, judged: string): LedgerDecision {
  return {
    kind: "judge",
    change: { ...stamp(snapshot, ledger), judged },
    reason: { code: "NothingChanged", commit: judged },
  };
}

/** A stop is recorded; the verb that asked for it, if one did, is marked as carried out. */
export function placeStop(
  snapshot: Snapshot,
  ledger: LedgerState,
  stop: StopRecord,
  request?: VerbRequest,
): LedgerDecision {
  const { id, scope, why, who } = stop;
  const reason: TransitionReason = { code: "StopPlaced", stop: id, scope, why, who };
  const { stops: restored, ...runs } = restoreRun(ledger, stop.scope);
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    ...runs,
    stops: [...(restored ?? []), { stop, step: "placed" }],
    ...(request === undefined ? {} : carryOut(snapshot, ledger, request, reason)),
  };
  return { kind: "placeStop", change, reason };
}

/** A verb that was carried out so long ago cannot be on its way any more: the tree must not grow with every verb, ms. */
const rememberRequestsMs = 30 * 86_400_000;

/** Ids of verbs that are not remembered any more at `now`, epoch ms. */
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

/** Why a verb changes nothing, and what becomes of it: it cannot be carried out, or there is nothing to do. */
const outcomes = {
  StopKnown: "refused",
  RollbackRefused: "refused",
  NothingToResume: "nothing",
  NothingToRetry: "nothing",
  NothingToConverge: "nothing",
  TooMuchToConverge: "refused",
} as const;

type Unchanged = TransitionReasonOf<keyof typeof outcomes>;

/** A verb that changes nothing is answered, and recorded so that it is not asked again. */
export function answerRequest(
  snapshot: Snapshot,
  ledger: LedgerState,
  request: VerbRequest,
  reason: Unchanged,
): LedgerDecision {
  const carriedOut = carryOut(snapshot, ledger, request, reason, outcomes[reason.code]);
  return { kind: "answerRequest", change: { ...stamp(snapshot, ledger), ...carriedOut }, reason };
}

/** The records that a resume names by id, or all that stand on exactly its scope (rules 7.5). */
function findResumed(ledger: LedgerState, { scope, stops }: VerbRequest): readonly StopRecord[] {
  return listRecordedStops(ledger).filter((stop) =>
    stops === undefined ? stop.scope === scope : stops.includes(stop.id),
  );
}

/** Marks of the run as they are now: what a person ends, that person has seen, also what failed after the stop came (rules 3.3). */
function listMarks(snapshot: Snapshot, run: string): readonly string[] {
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

/** A stop for failures names all that it was ended for: none of it counts again. */
export function nameFailures(snapshot: Snapshot, stops: readonly StopRecord[]): readonly StopRecord[] {
  return stops.map((stop) => {
    if (!isProof(stop)) return stop;
    const seen = listMarks(snapshot, findNamed("run", stop.scope) ?? "");
    return { ...stop, failures: [...new Set([...(stop.failures ?? []), ...seen])].toSorted() };
  });
}

/** These stops, resumed; nothing where there are none. */
export function markResumed(resumed: readonly StopRecord[], resume: Resume): Pick<LedgerChange, "stops"> {
  if (resumed.length === 0) return {};
  return { stops: resumed.map((stop) => ({ stop: { ...stop, resume }, step: "resumed" })) };
}

/** Resumes recorded stops, and closes runs whose commit vanished when main was rewritten. */
export function resumeStops(snapshot: Snapshot, ledger: LedgerState, request: VerbRequest): LedgerDecision {
  const resumed = findResumed(ledger, request);
  if (resumed.length === 0) {
    const { scope, stops, who } = request;
    const missing = stops === undefined ? { scope } : { stops };
    return answerRequest(snapshot, ledger, request, { code: "NothingToResume", missing, who });
  }
  const { who, why } = request;
  const resume = { at: printTime(snapshot.now), who, why };
  const stops = resumed.map((stop) => stop.id);
  const scopes = [...new Set(resumed.map((stop) => stop.scope))];
  const reason: TransitionReason = { code: "StopResumed", stops, scopes, who, why };
  const rewritten = resumed.some((stop) => stop.cause === "forcedPush") ? adoptRewrittenMain(snapshot, ledger) : {};
  const change: LedgerChange = {
    ...stamp(snapshot, ledger),
    ...markResumed(nameFailures(snapshot, resumed), resume),
    ...carryOut(snapshot, ledger, request, reason),
    ...rewritten,
  };
  return { kind: "resumeStop", change, reason };
}

/** A rollback is through as far as files go: main says the same, and the rollback's own hold stays (rules 2.4). */
export function endRollback(snapshot: Snapshot, ledger: LedgerState, stop: StopRecord): LedgerDecision {
  const { head: main } = snapshot.main;
  const why = printStopEnd({ code: "SaidByMain", main });
  const resume = { at: printTime(snapshot.now), who: "meshroll planner", why };
  const change = { ...stamp(snapshot, ledger), ...markResumed([stop], resume) };
  return { kind: "resumeStop", change, reason: { code: "RollbackOver", stop: stop.id, scope: stop.scope, main } };
}

/** What a person forgave is due again with one more try; a run that was over goes on (rules 3.3). */
export function retryRun(
  snapshot: Snapshot,
  ledger: LedgerState,
  run: RunRecord,
  tries: Readonly<Record<string, number>>,
  request: VerbRequest,
): LedgerDecision {
  const restored = restoreRun(ledger, request.scope);
  const live = restored.runs?.find((each) => each.run.id === run.id)?.run ?? lookUp(ledger.runs, run.id) ?? run;
  const { endedAt: _, outcome: __, ...record } = live;
  const again: RunRecord = { ...record, state: "open", retried: { ...run.retried, ...tries } };
  const { who, why } = request;
  const resume = { at: printTime(snapshot.now), who, why };
  // Those that the archive has are resumed already.
  const failed = listRecordedStops(ledger).filter((stop) => stop.scope === request.scope && isProof(stop));
  const { stops: resumed = [] } = markResumed(nameFailures(snapshot, failed), resume);
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

/** What differs from main is brought back by runs of their own; `request` is the verb that asked for it, where one did. */
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
