import { lookUp } from "#libs/input";

import { dropAbsent } from "../drop-absent.ts";
import type { LedgerState, PlanRecord, RunRecord, StopRecord } from "../ledger-state.ts";
import type { BakeStep, Forgotten, LedgerChange, PlanChange, RunChange, RunStep, StopChange } from "./ledger-change.ts";

type Records<T> = Readonly<Record<string, T>>;

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function listChanged<T>(before: Records<T>, after: Records<T>): readonly (readonly [string, T])[] {
  return Object.entries(after).filter(([id, record]) => !isSame(lookUp(before, id), record));
}

/** The step with the names that it speaks of; none where there are none. */
function nameWaves(kind: "wavesOpened" | "wavesClosed" | "wavesReopened", clusters: readonly string[]) {
  return clusters.length === 0 ? [] : [{ kind, clusters } as const];
}

function listWaves({ clusters: before }: RunRecord, { clusters: after }: RunRecord): readonly RunStep[] {
  const known = Object.entries(after).flatMap(([name, now]) => {
    const was = lookUp(before, name);
    return was === undefined ? [] : [{ name, wasDone: was.doneAt !== undefined, isDone: now.doneAt !== undefined }];
  });
  const closed = known.filter(({ wasDone, isDone }) => !wasDone && isDone);
  const reopened = known.filter(({ wasDone, isDone }) => wasDone && !isDone);
  const opened = Object.keys(after).filter((name) => lookUp(before, name) === undefined);
  return [
    ...nameWaves("wavesOpened", opened),
    ...nameWaves(
      "wavesClosed",
      closed.map(({ name }) => name),
    ),
    ...nameWaves(
      "wavesReopened",
      reopened.map(({ name }) => name),
    ),
  ];
}

function nameBakeStep(before: RunRecord["bake"], after: NonNullable<RunRecord["bake"]>): BakeStep {
  if (before === undefined) return "began";
  if (after.paused !== undefined) return "paused";
  return after.healthyMs >= after.neededMs ? "over" : "progress";
}

function listBake({ bake: before }: RunRecord, { bake: after }: RunRecord): readonly RunStep[] {
  if (isSame(before, after)) return [];
  return [after === undefined ? { kind: "bakeRestarted" } : { kind: "bakeSaved", step: nameBakeStep(before, after) }];
}

function listGates(before: RunRecord, after: RunRecord): readonly RunStep[] {
  const judged = listChanged(before.gates ?? {}, after.gates ?? {}).map(([gate]) => gate);
  // What a verdict was counted by comes with it.
  const counted = listChanged(before.measured ?? {}, after.measured ?? {}).filter(([gate]) => !judged.includes(gate));
  return [
    ...judged.map((gate) => ({ kind: "gateJudged" as const, gate })),
    ...counted.map(([gate]) => ({ kind: "gateCounted" as const, gate })),
  ];
}

function listLiveSteps(before: RunRecord, after: RunRecord): readonly RunStep[] {
  const isRetried = !isSame(before.retried, after.retried);
  return [
    ...listWaves(before, after),
    ...listBake(before, after),
    ...listGates(before, after),
    ...(isRetried ? [{ kind: "retried" as const }] : []),
  ];
}

function listSteps(before: RunRecord | undefined, after: RunRecord): readonly RunStep[] {
  if (after.archived !== undefined)
    return before === undefined || before.archived !== undefined ? [] : [{ kind: "archived" }];
  if (before === undefined) return [{ kind: "started" }];
  const [wasOpen, isOpen] = [before.state === "open", after.state === "open"];
  if (wasOpen && !isOpen) return [{ kind: "ended" }];
  if (!wasOpen && isOpen) return [{ kind: "retried" }];
  return before.archived === undefined ? listLiveSteps(before, after) : [{ kind: "restored" }];
}

function nameStopStep(before: StopRecord | undefined, after: StopRecord): StopChange["step"] {
  if (before === undefined) return "placed";
  if (before.resume === undefined && after.resume !== undefined) return "resumed";
  if ((before.archived === undefined) === (after.archived === undefined)) return "changed";
  return after.archived === undefined ? "restored" : "archived";
}

/** What a record of a plan says, by the plans on record before it. */
export function namePlanStep(plans: Records<PlanRecord>, plan: PlanRecord): PlanChange["step"] {
  if (lookUp(plans, plan.head) !== undefined) return "relisted";
  return Object.values(plans).some(({ branch }) => branch === plan.branch) ? "headProposed" : "stageProposed";
}

function listGone(before: Records<unknown>, after: Records<unknown>): readonly string[] | undefined {
  const gone = Object.keys(before).filter((id) => lookUp(after, id) === undefined);
  return gone.length === 0 ? undefined : gone;
}

function listForgotten(before: LedgerState, after: LedgerState): Forgotten | undefined {
  const forgotten = dropAbsent({
    runs: listGone(before.runs, after.runs),
    stops: listGone(before.stops, after.stops),
    requests: listGone(before.requests, after.requests),
    plans: listGone(before.plans, after.plans),
  });
  return Object.keys(forgotten).length === 0 ? undefined : forgotten;
}

/** The list, or nothing where it is empty. */
function orAbsent<T>(changes: readonly T[]): readonly T[] | undefined {
  return changes.length === 0 ? undefined : changes;
}

function listRuns(before: LedgerState, after: LedgerState): readonly RunChange[] {
  return listChanged(before.runs, after.runs).map(([id, run]) => ({
    run,
    steps: listSteps(lookUp(before.runs, id), run),
  }));
}

function listStops(before: LedgerState, after: LedgerState): readonly StopChange[] {
  return listChanged(before.stops, after.stops).map(([id, stop]) => ({
    stop,
    step: nameStopStep(lookUp(before.stops, id), stop),
  }));
}

/**
 * The transition between two ledgers of the branch, the older first: for what was recorded by another process. Their heads, and
 * what no transition decides (`ahead`), are not compared.
 */
export function compareLedgers(before: LedgerState, after: LedgerState): LedgerChange {
  const requests = listChanged(before.requests, after.requests);
  const plans = listChanged(before.plans, after.plans).map(([, plan]) => ({
    plan,
    step: namePlanStep(before.plans, plan),
  }));
  const changed = dropAbsent({
    judged: before.judged === after.judged ? undefined : after.judged,
    baseline: isSame(before.baseline, after.baseline) ? undefined : after.baseline,
    runs: orAbsent(listRuns(before, after)),
    stops: orAbsent(listStops(before, after)),
    requests: requests.length === 0 ? undefined : Object.fromEntries(requests),
    plans: orAbsent(plans),
    forgotten: listForgotten(before, after),
  });
  return { sequence: after.sequence, main: after.main, ...changed };
}
