import { lookUp } from "#libs/input";
import { parseMarks } from "#libs/fleet";

import type { LedgerDecision, Reason } from "./decision.ts";
import { printTime } from "./iso-time.ts";
import { restoreRun } from "./archive/summarise-ended.ts";
import type { CarriedOut, LedgerState, RunRecord, StopRecord } from "./ledger-state.ts";
import { openCluster } from "./discover-runs.ts";
import { nameInFleet, nameWorkload } from "./workload-key.ts";
import { listReturnedBuckets } from "./returns.ts";
import { isProof, listRecordedStops } from "./stops.ts";
import type { Ask, World } from "./world.ts";

/** The state one transition further; every ledger commit names the main head that it was decided on (rules 8.2). */
export function stamp(world: World, ledger: LedgerState): LedgerState {
  // A rewritten main is adopted by the lift of its stop, never by another record that happens to come first.
  const main = world.main.contained ? world.main.head : ledger.main;
  return { ...ledger, main, sequence: ledger.sequence + 1 };
}

type Lift = NonNullable<StopRecord["lift"]>;

export function reason(code: string, message: string, owner = "meshroll"): Reason {
  return { code, message, owner };
}

/** Every return leaves its hold, in the very commit that starts its run; only a person lifts it (rules 2.2). */
function makeReturnHolds(run: RunRecord): readonly StopRecord[] {
  return listReturnedBuckets(run).map((pattern, index) => ({
    id: `return-${run.id}-${index + 1}`,
    scope: `bucket/${pattern}`,
    strength: "move",
    at: run.startedAt,
    who: run.author,
    why: `run ${run.id} went back: ${run.subject}`,
    cause: "return",
    returnOf: run.id,
  }));
}

/** A campaign's forward run opens its waves one after the other, by its gates and windows; any other is one wave of all. */
function opensAtOnce({ campaign, changes }: RunRecord): boolean {
  return campaign === undefined || changes.every(({ direction }) => direction === "return");
}

/**
 * Clusters that the newest runs knew: after the bus was wiped nobody has seen them yet, and a run that forgets them ends
 * without them, or opens their waves out of order (rules 3.4, 6.1). Those left aside when it begins are not awaited.
 */
export function listRemembered(
  world: World,
  { runs }: LedgerState,
  { commit }: Pick<RunRecord, "commit">,
): readonly string[] {
  const aside = world.specs.get(commit)?.settings.asideClusters ?? [];
  const names = new Set<string>();
  const living = Object.values(runs).filter(({ state }) => state !== "gone");
  for (const { clusters, expected = [], state } of living.toSorted((a, b) => b.order - a.order)) {
    for (const name of [...Object.keys(clusters), ...expected]) names.add(name);
    // One that is over has seen every cluster that there was.
    if (state !== "open") break;
  }
  return [...names].filter((name) => !aside.includes(name));
}

/** A run begins; clusters whose wave does not open with it are expected: it is not done before they were looked at. */
export function startRun(world: World, ledger: LedgerState, run: RunRecord, judged: string): LedgerDecision {
  const known = [...world.clusters.values()];
  const opening = known.filter((each) => each.fresh && opensAtOnce(run));
  const clusters = Object.fromEntries(opening.map((each) => [each.name, openCluster(each, world.now)]));
  const awaited = [...known.map(({ name }) => name), ...listRemembered(world, ledger, run)];
  const expected = [...new Set(awaited)].filter((name) => lookUp(clusters, name) === undefined);
  const named = expected.length === 0 ? {} : { expected: expected.toSorted() };
  const started: RunRecord = { ...run, startedAt: printTime(world.now), clusters, ...named };
  const holds = makeReturnHolds(started);
  const stops = { ...ledger.stops, ...Object.fromEntries(holds.map((stop) => [stop.id, stop])) };
  const next = { ...stamp(world, ledger), judged, runs: { ...ledger.runs, [run.id]: started }, stops };
  const held = holds.length === 0 ? "" : `; a return, its hold stays on ${holds.map(({ scope }) => scope).join(", ")}`;
  const message = `run ${run.id} started: ${run.subject} (${run.author})${held}`;
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

/** A stop is recorded; the verb that asked for it, if one did, is marked as carried out. */
export function placeStop(world: World, ledger: LedgerState, stop: StopRecord, ask?: Ask): LedgerDecision {
  const message = `stop ${stop.id} on ${stop.scope}: ${stop.why} (${stop.who})`;
  const asks = ask === undefined ? ledger.asks : carryOut(world, ledger, ask, message);
  const { runs, stops } = restoreRun(ledger, stop.scope);
  const next = { ...stamp(world, ledger), runs, stops: { ...stops, [stop.id]: stop }, asks };
  return { kind: "placeStop", stop, ledger: next, reason: reason("StopPlaced", message, stop.who) };
}

/** A verb that was carried out so long ago cannot be on its way any more: the tree must not grow with every verb, ms. */
const rememberAsksMs = 30 * 86_400_000;

/** Verbs that are remembered as of `now`, epoch ms. */
export function forgetAsks(ledger: LedgerState, now: number): LedgerState["asks"] {
  const oldest = printTime(now - rememberAsksMs);
  return Object.fromEntries(Object.entries(ledger.asks).filter(([, { at }]) => at >= oldest));
}

function carryOut(
  world: World,
  ledger: LedgerState,
  ask: Ask,
  answer: string,
  outcome?: CarriedOut["outcome"],
): Readonly<Record<string, CarriedOut>> {
  const carriedOut = { at: printTime(world.now), answer, ...(outcome === undefined ? {} : { outcome }) };
  return { ...forgetAsks(ledger, world.now), [ask.id]: carriedOut };
}

/** What becomes of a verb that changes nothing. */
interface Unchanged {
  readonly code: string;
  readonly answer: string;
  readonly outcome: "refused" | "nothing";
}

/** A verb that changes nothing is answered, and recorded so that it is not asked again. */
export function answerAsk(world: World, ledger: LedgerState, ask: Ask, unchanged: Unchanged): LedgerDecision {
  const { code, answer, outcome } = unchanged;
  const next = { ...stamp(world, ledger), asks: carryOut(world, ledger, ask, answer, outcome) };
  return { kind: "answerAsk", ask: ask.id, ledger: next, reason: reason(code, answer, ask.who) };
}

/** The records that a lift names by id, or all that stand on exactly its scope (rules 7.5). */
function findLifted(ledger: LedgerState, { scope, stops }: Ask): readonly StopRecord[] {
  return listRecordedStops(ledger).filter((stop) =>
    stops === undefined ? stop.scope === scope : stops.includes(stop.id),
  );
}

/** Marks of the run as they stand now: what a person lifts, that person has seen, also what failed after the stop came (rules 3.3). */
function listMarks(world: World, run: string): readonly string[] {
  const names: string[] = [];
  const isOf = (annotations: Readonly<Record<string, string>>): boolean => {
    const marks = parseMarks(annotations);
    return marks.kind === "read" && marks.failed !== undefined && marks.run?.run === run;
  };
  for (const cluster of world.clusters.values()) {
    for (const { namespace, workloads } of cluster.namespaces.values()) {
      if (isOf(namespace.annotations)) names.push(nameInFleet(cluster.name, `${namespace.name}/*`));
      for (const each of workloads) {
        if (isOf(each.annotations)) names.push(nameInFleet(cluster.name, nameWorkload(each)));
      }
    }
  }
  return names;
}

/** A stop for failures names all that it was lifted for: none of it counts again. */
export function nameFailures(world: World, stops: readonly StopRecord[]): readonly StopRecord[] {
  return stops.map((stop) => {
    if (!isProof(stop)) return stop;
    const seen = listMarks(world, stop.scope.slice("run/".length));
    return { ...stop, failures: [...new Set([...(stop.failures ?? []), ...seen])].toSorted() };
  });
}

export function markLifted(ledger: LedgerState, lifted: readonly StopRecord[], lift: Lift): LedgerState["stops"] {
  return { ...ledger.stops, ...Object.fromEntries(lifted.map((stop) => [stop.id, { ...stop, lift }])) };
}

/** Lifts recorded stops, and closes runs whose commit vanished when main was rewritten. */
export function liftStops(world: World, ledger: LedgerState, ask: Ask): LedgerDecision {
  const lifted = findLifted(ledger, ask);
  if (lifted.length === 0) {
    const kubectl = "kubectl -n meshroll-system delete configmap meshroll-stop";
    const what =
      ask.stops === undefined ? `no stop on ${ask.scope} is recorded` : `${ask.stops.join(", ")} is in force no more`;
    const answer = `nothing to lift: ${what} (kubectl's own goes by: ${kubectl})`;
    return answerAsk(world, ledger, ask, { code: "NothingToLift", answer, outcome: "nothing" });
  }
  const lift = { at: printTime(world.now), who: ask.who, why: ask.why };
  const ids = lifted.map((stop) => stop.id);
  const scopes = [...new Set(lifted.map((stop) => stop.scope))].join(", ");
  const answer = `lifted ${ids.join(", ")} on ${scopes} (${ask.who}: ${ask.why})`;
  const stops = markLifted(ledger, nameFailures(world, lifted), lift);
  const rewritten = lifted.some((stop) => stop.cause === "forcedPush") ? adoptRewrittenMain(world, ledger) : {};
  const next = { ...stamp(world, ledger), stops, asks: carryOut(world, ledger, ask, answer), ...rewritten };
  return { kind: "liftStop", stops: ids, ledger: next, reason: reason("StopLifted", answer, ask.who) };
}

/** A rollback is through as far as files go: main says the same, and the return's own hold stays (rules 2.4). */
export function endRollback(world: World, ledger: LedgerState, stop: StopRecord): LedgerDecision {
  const why = `main says the same since ${world.main.head.slice(0, 12)}`;
  const stops = markLifted(ledger, [stop], { at: printTime(world.now), who: "meshroll planner", why });
  const answer = `rollback ${stop.id} of ${stop.scope} is over: ${why}`;
  const next = { ...stamp(world, ledger), stops };
  return { kind: "liftStop", stops: [stop.id], ledger: next, reason: reason("RollbackOver", answer) };
}

/** What a person forgave is due again with one more try; a run that was over goes on (rules 3.3). */
export function retryRun(
  world: World,
  ledger: LedgerState,
  run: RunRecord,
  tries: Readonly<Record<string, number>>,
  ask: Ask,
): LedgerDecision {
  const live = { ...ledger, ...restoreRun(ledger, ask.scope) };
  const { endedAt: _, outcome: __, ...record } = lookUp(live.runs, run.id) ?? run;
  const again: RunRecord = { ...record, state: "open", retried: { ...run.retried, ...tries } };
  const lift = { at: printTime(world.now), who: ask.who, why: ask.why };
  const failed = listRecordedStops(live).filter((stop) => stop.scope === ask.scope && isProof(stop));
  const names = Object.keys(tries);
  const listed = `${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
  const answer = `retry of run ${run.id}: ${names.length} due again: ${listed} (${ask.who}: ${ask.why})`;
  const next = {
    ...stamp(world, ledger),
    runs: { ...live.runs, [run.id]: again },
    stops: markLifted(live, nameFailures(world, failed), lift),
    asks: carryOut(world, ledger, ask, answer),
  };
  return { kind: "retryRun", run: again, ledger: next, reason: reason("Retried", answer, ask.who) };
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
    ? { ...ledger.baseline, commit: world.main.head, at }
    : ledger.baseline;
  return { baseline, main: world.main.head, judged: findLastContained(world, ledger, vanished), runs };
}
