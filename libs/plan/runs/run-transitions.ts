import { lookUp } from "#libs/input";
import { planner, printStopEnd, renderReasonWords, renderWorkloadReason } from "#libs/wording";

import {
  type BakeRecord,
  type BakeStep,
  type BakeWatch,
  type ClusterSnapshot,
  countOutcome,
  type LedgerDecision,
  type LedgerState,
  listTakenBack,
  printTime,
  type RunOutcome,
  type RunRecord,
  type SkippedWorkload,
  type Snapshot,
  type TakenPart,
} from "../records/index.ts";
import { changeRun, markResumed, addPresentFailures, openCluster } from "../transitions/index.ts";
import { closeGates } from "../gates/index.ts";
import type { RunClass, RunInCluster, RunView } from "../index/index.ts";
import { type LeftBehind, listLeftBehind, type WorkloadState } from "../workloads/index.ts";
import { isRunGuardStop, listRecordedStops } from "../stops/index.ts";
import { describeList } from "./list-differences.ts";

/** Opens waves: records which workloads are unhealthy now, before our moves (rules 6.1). */
export function openWave(
  snapshot: Snapshot,
  ledger: LedgerState,
  run: RunRecord,
  opening: readonly ClusterSnapshot[],
): LedgerDecision {
  const opened = opening.map((cluster) => [cluster.name, openCluster(cluster, snapshot.now)] as const);
  const names = opening.map(({ name }) => name);
  const after = { ...run, clusters: { ...run.clusters, ...Object.fromEntries(opened) } };
  const change = changeRun(snapshot, ledger, after, { kind: "wavesOpened", clusters: names });
  return { kind: "openWave", change, reason: { code: "WaveOpened", run: run.id, clusters: names } };
}

/** Nothing is left in these clusters: the delay to the next wave begins (rules 6.1). */
export function closeWave(
  snapshot: Snapshot,
  ledger: LedgerState,
  run: RunRecord,
  names: readonly string[],
): LedgerDecision {
  const doneAt = printTime(snapshot.now);
  const closed = names.flatMap((name) => {
    const opened = lookUp(run.clusters, name);
    return opened === undefined ? [] : [[name, { ...opened, doneAt }] as const];
  });
  const after = { ...run, clusters: { ...run.clusters, ...Object.fromEntries(closed) } };
  const change = changeRun(snapshot, ledger, after, { kind: "wavesClosed", clusters: names });
  return { kind: "closeWave", change, reason: { code: "WaveDone", run: run.id, clusters: names } };
}

/** A workload was added in these clusters: the delay to the next wave begins at their next end. */
export function reopenWave(
  snapshot: Snapshot,
  ledger: LedgerState,
  run: RunRecord,
  names: readonly string[],
): LedgerDecision {
  const late = Object.entries(run.clusters).map(([name, { doneAt, ...opened }]) => {
    const isKept = doneAt !== undefined && !names.includes(name);
    return [name, isKept ? { ...opened, doneAt } : opened] as const;
  });
  const after = { ...run, clusters: Object.fromEntries(late) };
  const change = changeRun(snapshot, ledger, after, { kind: "wavesReopened", clusters: names });
  return { kind: "reopenWave", change, reason: { code: "WaveReopened", run: run.id, clusters: names } };
}

type BakeCount = Pick<BakeRecord, "neededMs" | "healthyMs"> & { readonly watch: BakeWatch | undefined };

/** Saves a run's bake: it never decreases, also when a process dies meanwhile (rules 6.2). */
export function saveBake(
  snapshot: Snapshot,
  ledger: LedgerState,
  run: RunRecord,
  step: BakeStep,
  { neededMs, healthyMs, watch }: BakeCount,
): LedgerDecision {
  const now = printTime(snapshot.now);
  const paused = step === "paused" && watch?.paused !== undefined ? { paused: renderReasonWords(watch.paused) } : {};
  const bake: BakeRecord = { beganAt: run.bake?.beganAt ?? now, neededMs, healthyMs, savedAt: now, ...paused };
  const baked: RunRecord = { ...run, bake };
  const said = step === "paused" ? { step, paused: watch?.paused } : { step };
  const change = changeRun(snapshot, ledger, baked, { kind: "bakeSaved", step });
  return { kind: "saveBake", change, reason: { code: "BakeSaved", run: run.id, bake: said, healthyMs, neededMs } };
}

type Skipped = Extract<WorkloadState, { readonly kind: "skipped" }>;

function describeSkipped({ reason, failed }: Skipped): Omit<SkippedWorkload, "cluster" | "workload"> {
  return { ...renderWorkloadReason(reason), ...(failed === undefined ? {} : { failed: true }) };
}

/** A workload that did not fail and is not where main wants it. */
function describeLeftBehind({ cluster, namespace, kind, name, reason }: LeftBehind): SkippedWorkload {
  return { cluster, workload: `${namespace}/${kind}/${name}`, ...renderWorkloadReason(reason), neighbour: true };
}

/** What a run skipped in these clusters; the end of an earlier stage has already named what it left over. */
function listSkipped(opened: readonly (readonly [string, RunInCluster])[]): Pick<RunOutcome, "skipped" | "earlier"> {
  const skipped: SkippedWorkload[] = [];
  const earlier: (readonly [cluster: string, count: number])[] = [];
  for (const [cluster, classes] of opened) {
    let named = 0;
    for (const { state, isLeftover, key } of classes.list(["skipped"])) {
      if (state.kind !== "skipped") continue;
      if (isLeftover === true && state.waited === true) named += 1;
      else skipped.push({ cluster, workload: key, ...describeSkipped(state) });
    }
    if (named > 0) earlier.push([cluster, named]);
    skipped.push(...listLeftBehind(classes.list(["migrated", "skipped"])).map(describeLeftBehind));
  }
  return { skipped, ...(earlier.length === 0 ? {} : { earlier: Object.fromEntries(earlier) }) };
}

/** Counts only clusters whose wave was opened: the old inventory of another one is no outcome of this run. */
function summarise(run: RunRecord, view: RunView | undefined, left: readonly string[]): RunOutcome {
  const opened = [...(view?.clusters ?? [])].filter(([cluster]) => lookUp(run.clusters, cluster) !== undefined);
  const count = (is: RunClass): number =>
    opened.reduce((sum, [cluster, classes]) => sum + (left.includes(cluster) ? 0 : classes.count([is])), 0);
  const seen = Object.keys(run.clusters).filter((name) => !left.includes(name));
  const idle = count("idle");
  return {
    migrated: count("migrated"),
    ...(idle === 0 ? {} : { idle }),
    ...listSkipped(opened),
    seen: seen.toSorted(),
  };
}

/** The present figures, and those of the parts that other runs took over. */
function addTaken(outcome: RunOutcome, taken: readonly TakenPart[] = []): RunOutcome {
  const sum = (read: (part: TakenPart) => number | undefined): number =>
    taken.reduce((total, part) => total + (read(part) ?? 0), 0);
  const idle = (outcome.idle ?? 0) + sum((part) => part.idle);
  const left = sum((part) => part.left);
  return {
    ...outcome,
    migrated: outcome.migrated + sum((part) => part.migrated),
    ...(idle === 0 ? {} : { idle }),
    skipped: [...outcome.skipped, ...taken.flatMap(({ skipped }) => skipped)],
    ...(left === 0 ? {} : { left }),
  };
}

/** Whether the later run is a rollback of this one. */
function isTakenBackBy({ runs }: LedgerState, run: RunRecord, by: string): boolean {
  const later = lookUp(runs, by);
  return later !== undefined && listTakenBack(later, Object.values(runs)).includes(run.id);
}

/**
 * Ends a run: done, or empty when it never had a workload. Names the clusters that were seen; `left` are the excluded clusters
 * (rules 3.2).
 */
export function finishRun(
  snapshot: Snapshot,
  ledger: LedgerState,
  view: RunView,
  state: "done" | "empty",
  { left, takenOverBy }: { readonly left: readonly string[]; readonly takenOverBy: string | undefined },
): LedgerDecision {
  // Tallies of gates are dropped: a run that a retry opens again is measured again.
  const { measured: _, taken, ...run } = lookUp(ledger.runs, view.run.id) ?? view.run;
  const counts = addTaken(summarise(run, view, left), taken);
  const differences = describeList(snapshot, ledger, run, view, takenOverBy);
  const compared = differences === undefined ? counts : { ...counts, differences };
  const outcome = takenOverBy === undefined ? compared : { ...compared, takenOverBy };
  const gates = closeGates(snapshot, ledger, view);
  const ended: RunRecord = { ...run, ...gates, state, endedAt: printTime(snapshot.now), outcome };
  // Our own stop for failures ends with the run; a person's stop does not.
  const own = listRecordedStops(ledger).filter((stop) => stop.scope === `run/${run.id}` && isRunGuardStop(stop));
  const over = {
    at: printTime(snapshot.now),
    who: planner,
    why: printStopEnd({ code: "RunOver", run: run.id }),
  };
  const change = {
    ...changeRun(snapshot, ledger, ended, { kind: "ended" }),
    ...markResumed(addPresentFailures(snapshot, own), over),
  };
  const by = takenOverBy === undefined ? {} : { takenOverBy, isRolledBack: isTakenBackBy(ledger, run, takenOverBy) };
  const totals = { ...countOutcome(outcome), ...by };
  return { kind: "finishRun", change, reason: { code: "RunEnded", run: run.id, state, ...totals } };
}
