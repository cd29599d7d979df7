import { lookUp } from "#libs/input";
import { describeList } from "./list-differences.ts";
import type { BakeStep } from "./bake.ts";
import type { LedgerDecision } from "./decision.ts";
import { openCluster } from "./discover-runs.ts";
import { closeGates } from "./gates/index.ts";
import { printTime } from "./iso-time.ts";
import type { BakeRecord, LedgerState, RunOutcome, RunRecord } from "./ledger-state.ts";
import type { RunView } from "./run-view.ts";
import { isProof, listRecordedStops } from "./stops.ts";
import { markLifted, nameFailures, reason, stamp } from "./transitions.ts";
import type { BakeWatch, ClusterWorld, World } from "./world.ts";

/** The ledger one transition further, with this run as it is now. */
function replaceRun(world: World, ledger: LedgerState, run: RunRecord): LedgerState {
  return { ...stamp(world, ledger), runs: { ...ledger.runs, [run.id]: run } };
}

/** Waves of clusters open: who is unhealthy in them now was so before us (rules 6.1). */
export function openWave(
  world: World,
  ledger: LedgerState,
  run: RunRecord,
  opening: readonly ClusterWorld[],
): LedgerDecision {
  const opened = opening.map((cluster) => [cluster.name, openCluster(cluster, world.now)] as const);
  const next = replaceRun(world, ledger, { ...run, clusters: { ...run.clusters, ...Object.fromEntries(opened) } });
  const names = opening.map(({ name }) => name);
  const message = `run ${run.id}: wave opened in ${names.join(", ")}`;
  return { kind: "openWave", run: run.id, clusters: names, ledger: next, reason: reason("WaveOpened", message) };
}

/** Nothing is left in these clusters: the delay to the next wave counts from now (rules 6.1). */
export function closeWave(world: World, ledger: LedgerState, run: RunRecord, names: readonly string[]): LedgerDecision {
  const doneAt = printTime(world.now);
  const closed = names.flatMap((name) => {
    const opened = lookUp(run.clusters, name);
    return opened === undefined ? [] : [[name, { ...opened, doneAt }] as const];
  });
  const next = replaceRun(world, ledger, { ...run, clusters: { ...run.clusters, ...Object.fromEntries(closed) } });
  const message = `run ${run.id}: nothing is left in ${names.join(", ")}`;
  return { kind: "closeWave", run: run.id, clusters: names, ledger: next, reason: reason("WaveDone", message) };
}

/** Somebody came late in these clusters: the delay to the next wave counts from their next end. */
export function reopenWave(
  world: World,
  ledger: LedgerState,
  run: RunRecord,
  names: readonly string[],
): LedgerDecision {
  const late = Object.entries(run.clusters).map(([name, { doneAt, ...opened }]) => {
    const isKept = doneAt !== undefined && !names.includes(name);
    return [name, isKept ? { ...opened, doneAt } : opened] as const;
  });
  const next = replaceRun(world, ledger, { ...run, clusters: Object.fromEntries(late) });
  const message = `run ${run.id}: somebody is left in ${names.join(", ")} again`;
  return { kind: "reopenWave", run: run.id, clusters: names, ledger: next, reason: reason("WaveReopened", message) };
}

const bakeWords: Readonly<Record<BakeStep, string>> = {
  began: "began",
  progress: "goes on",
  paused: "stands still",
  over: "is over",
};

type BakeCount = Pick<BakeRecord, "neededMs" | "healthyMs"> & { readonly watch: BakeWatch | undefined };

/** The bake of a run is saved: it never goes back, whoever dies meanwhile (rules 6.2). */
export function saveBake(
  world: World,
  ledger: LedgerState,
  run: RunRecord,
  step: BakeStep,
  { neededMs, healthyMs, watch }: BakeCount,
): LedgerDecision {
  const now = printTime(world.now);
  const why = watch?.paused?.message ?? "";
  const paused = step === "paused" ? { paused: why } : {};
  const bake: BakeRecord = { beganAt: run.bake?.beganAt ?? now, neededMs, healthyMs, savedAt: now, ...paused };
  const baked: RunRecord = { ...run, bake };
  const share = Math.min(100, Math.floor((100 * healthyMs) / neededMs));
  const tail = step === "paused" ? `: ${why}` : "";
  const message = `run ${run.id}: its bake ${bakeWords[step]}, ${share} % of ${Math.round(neededMs / 60_000)} minutes${tail}`;
  const next = replaceRun(world, ledger, baked);
  return { kind: "saveBake", run: baked, step, ledger: next, reason: reason("BakeSaved", message) };
}

/** Only clusters whose wave was opened: what another one's old inventory says is no outcome of this run. */
function summarise(run: RunRecord, view: RunView | undefined, left: readonly string[]): RunOutcome {
  let arrived = 0;
  const aside: { cluster: string; workload: string; reason: string }[] = [];
  for (const [cluster, classes] of view?.clusters ?? []) {
    if (lookUp(run.clusters, cluster) === undefined) continue;
    if (!left.includes(cluster)) arrived += classes.count(["there"]);
    for (const each of classes.list(["aside"])) {
      const { standing, isLeftover } = each;
      // Whose owner an earlier stage waited for in vain was named when that one ended.
      if (standing.kind !== "aside" || (isLeftover === true && standing.waited === true)) continue;
      aside.push({ cluster, workload: each.key, reason: standing.reason });
    }
  }
  const seen = Object.keys(run.clusters).filter((name) => !left.includes(name));
  return { arrived, aside, seen: seen.toSorted() };
}

/** A run ends: done, or empty when it never concerned anybody. The clusters that were seen are named; `left` were aside (rules 3.2). */
export function finishRun(
  world: World,
  ledger: LedgerState,
  view: RunView,
  state: "done" | "empty",
  { left, takenOverBy }: { readonly left: readonly string[]; readonly takenOverBy: string | undefined },
): LedgerDecision {
  // What gates counted is over with it: a run that a retry opens again is measured anew.
  const { measured: _, ...run } = lookUp(ledger.runs, view.run.id) ?? view.run;
  const counts = summarise(run, view, left);
  const differences = describeList(world, ledger, run, view, takenOverBy);
  const compared = differences === undefined ? counts : { ...counts, differences };
  const outcome = takenOverBy === undefined ? compared : { ...compared, takenOverBy };
  const gates = closeGates(world, ledger, view);
  const ended: RunRecord = { ...run, ...gates, state, endedAt: printTime(world.now), outcome };
  // Our own stop for failures speaks of a run that goes on; a person's stays until a person lifts it.
  const own = listRecordedStops(ledger).filter((stop) => stop.scope === `run/${run.id}` && isProof(stop));
  const over = { at: printTime(world.now), who: "meshroll planner", why: `run ${run.id} is over` };
  const stops = markLifted(ledger, nameFailures(world, own), over);
  const next = { ...stamp(world, ledger), runs: { ...ledger.runs, [run.id]: ended }, stops };
  const how =
    takenOverBy === undefined
      ? `${outcome.arrived} arrived, ${outcome.aside.length} aside`
      : `run ${takenOverBy} took its workloads over`;
  const message = `run ${run.id} ${state}: ${how}`;
  return { kind: "finishRun", run: ended, ledger: next, reason: reason("RunEnded", message) };
}
