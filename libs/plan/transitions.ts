import type { LedgerDecision, Reason } from "./decision.ts";
import { printTime } from "./iso-time.ts";
import type { CarriedOut, LedgerState, RunOutcome, RunRecord, StopRecord } from "./ledger-state.ts";
import { openCluster } from "./discover-runs.ts";
import type { RunView } from "./run-view.ts";
import { listRecordedStops } from "./stops.ts";
import type { Ask, ClusterWorld, World } from "./world.ts";

/** The state one transition further; every ledger commit names the main head that it was decided on (rules 8.2). */
function stamp(world: World, ledger: LedgerState): LedgerState {
  // A rewritten main is adopted by the lift of its stop, never by another record that happens to come first.
  const main = world.main.contained ? world.main.head : ledger.main;
  return { ...ledger, main, sequence: ledger.sequence + 1 };
}

function reason(code: string, message: string, owner = "meshroll"): Reason {
  return { code, message, owner };
}

/** A run begins: the waves of all clusters that are known open with it (no campaign yet: one wave of all). */
export function startRun(world: World, ledger: LedgerState, run: RunRecord, judged: string): LedgerDecision {
  const clusters = Object.fromEntries(
    [...world.clusters.values()].filter((each) => each.fresh).map((each) => [each.name, openCluster(each, world.now)]),
  );
  const started: RunRecord = { ...run, startedAt: printTime(world.now), clusters };
  const next = { ...stamp(world, ledger), judged, runs: { ...ledger.runs, [run.id]: started } };
  const message = `run ${run.id} started: ${run.subject} (${run.author})`;
  return { kind: "startRun", run: started, ledger: next, reason: reason("MainChanged", message, run.author) };
}

/** Main went on without changing an answer. */
export function judgeMain(world: World, ledger: LedgerState, judged: string): LedgerDecision {
  const next = { ...stamp(world, ledger), judged };
  return {
    kind: "judge",
    ledger: next,
    reason: reason("NothingChanged", `main is at ${judged.slice(0, 12)}: no answer changed`),
  };
}

/** A cluster that joins, or is seen for the first time, enters the last wave (rules 6.1). */
export function openWave(world: World, ledger: LedgerState, run: RunRecord, cluster: ClusterWorld): LedgerDecision {
  const clusters = { ...run.clusters, [cluster.name]: openCluster(cluster, world.now) };
  const next = { ...stamp(world, ledger), runs: { ...ledger.runs, [run.id]: { ...run, clusters } } };
  const message = `run ${run.id}: wave opened in ${cluster.name}`;
  return { kind: "openWave", run: run.id, ledger: next, reason: reason("WaveOpened", message) };
}

/** Only clusters whose wave was opened and that were seen: what another one's old inventory says is no outcome of this run. */
function summarise(view: RunView | undefined, seen: readonly string[]): RunOutcome {
  let arrived = 0;
  const aside: { cluster: string; workload: string; reason: string }[] = [];
  for (const [cluster, classes] of view?.clusters ?? []) {
    if (!seen.includes(cluster)) continue;
    arrived += classes.there.length;
    for (const each of classes.aside) {
      if (each.standing.kind === "aside") aside.push({ cluster, workload: each.key, reason: each.standing.reason });
    }
  }
  return { arrived, aside, seen };
}

/** A run ends: done, or empty when it never concerned anybody. The clusters that were seen are named (rules 3.2). */
export function finishRun(
  world: World,
  ledger: LedgerState,
  run: RunRecord,
  state: "done" | "empty" | "gone",
  view: RunView | undefined,
): LedgerDecision {
  const outcome = summarise(view, Object.keys(run.clusters).toSorted());
  const ended: RunRecord = { ...run, state, endedAt: printTime(world.now), outcome };
  const next = { ...stamp(world, ledger), runs: { ...ledger.runs, [run.id]: ended } };
  const message = `run ${run.id} ${state}: ${outcome.arrived} arrived, ${outcome.aside.length} aside`;
  return { kind: "finishRun", run: ended, ledger: next, reason: reason("RunEnded", message) };
}

/** A stop is recorded; the verb that asked for it, if one did, is marked as carried out. */
export function placeStop(world: World, ledger: LedgerState, stop: StopRecord, ask?: Ask): LedgerDecision {
  const message = `stop ${stop.id} on ${stop.scope}: ${stop.why} (${stop.who})`;
  const asks = ask === undefined ? ledger.asks : carryOut(world, ledger, ask, message);
  const next = { ...stamp(world, ledger), stops: { ...ledger.stops, [stop.id]: stop }, asks };
  return { kind: "placeStop", stop, ledger: next, reason: reason("StopPlaced", message, stop.who) };
}

function carryOut(world: World, ledger: LedgerState, ask: Ask, answer: string): Readonly<Record<string, CarriedOut>> {
  return { ...ledger.asks, [ask.id]: { at: printTime(world.now), answer } };
}

/** Lifts every recorded stop of exactly this scope, and closes runs whose commit vanished when main was rewritten. */
export function liftStops(world: World, ledger: LedgerState, ask: Ask): LedgerDecision {
  const lifted = listRecordedStops(ledger).filter((stop) => stop.scope === ask.scope);
  if (lifted.length === 0) {
    const kubectl = "kubectl -n meshroll-system delete configmap meshroll-stop";
    const answer = `nothing to lift: no stop on ${ask.scope} is recorded (kubectl's own goes by: ${kubectl})`;
    const next = { ...stamp(world, ledger), asks: carryOut(world, ledger, ask, answer) };
    return { kind: "answerAsk", ask: ask.id, ledger: next, reason: reason("NothingToLift", answer, ask.who) };
  }
  const lift = { at: printTime(world.now), who: ask.who, why: ask.why };
  const ids = lifted.map((stop) => stop.id);
  const answer = `lifted ${ids.join(", ")} on ${ask.scope} (${ask.who}: ${ask.why})`;
  const stops = { ...ledger.stops, ...Object.fromEntries(lifted.map((stop) => [stop.id, { ...stop, lift }])) };
  const rewritten = lifted.some((stop) => stop.cause === "forcedPush") ? adoptRewrittenMain(world, ledger) : {};
  const next = { ...stamp(world, ledger), stops, asks: carryOut(world, ledger, ask, answer), ...rewritten };
  return { kind: "liftStop", stops: ids, ledger: next, reason: reason("StopLifted", answer, ask.who) };
}

/** The newest judged commit that main still contains: what was pushed after it becomes runs like any other. */
function findLastContained(world: World, ledger: LedgerState, vanished: ReadonlySet<string>): string {
  if (!vanished.has(ledger.judged)) return ledger.judged;
  const runs = Object.values(ledger.runs).toSorted((a, b) => b.order - a.order);
  const kept = runs.find((run) => !vanished.has(run.commit))?.commit;
  return kept ?? (vanished.has(ledger.baseline.commit) ? world.main.head : ledger.baseline.commit);
}

/** After a forced push: vanished runs are gone, and head becomes a baseline that vanished (rules 1.7). */
function adoptRewrittenMain(
  world: World,
  ledger: LedgerState,
): Pick<LedgerState, "baseline" | "main" | "judged" | "runs"> {
  const vanished = new Set(world.main.vanished);
  const at = printTime(world.now);
  const runs = Object.fromEntries(
    Object.entries(ledger.runs).map(([id, run]) => [
      id,
      run.state === "open" && vanished.has(run.commit) ? { ...run, state: "gone" as const, endedAt: at } : run,
    ]),
  );
  const baseline = vanished.has(ledger.baseline.commit)
    ? { commit: world.main.head, at, by: ledger.baseline.by }
    : ledger.baseline;
  return { baseline, main: world.main.head, judged: findLastContained(world, ledger, vanished), runs };
}
