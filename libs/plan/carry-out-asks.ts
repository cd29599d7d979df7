import { lookUp } from "#libs/input";
import { parseMarks, type ReadMarks } from "#libs/fleet";
import { judgeTakenBack, type Marked } from "#libs/injection";

import { isUnread, listRetries } from "./archive/wait-for-archive.ts";
import type { LedgerDecision } from "./decision.ts";
import { printTime } from "./iso-time.ts";
import type { LedgerState, RunRecord, StopRecord } from "./ledger-state.ts";
import { createOwnership, type Ownership } from "./ownership.ts";
import { surveyFleet } from "./judge-fleet.ts";
import { listUnproven } from "./find-unproven.ts";
import { listForwardBuckets } from "./returns.ts";
import { refuseTarget } from "./reverts.ts";
import { collectStops, findRun } from "./stops.ts";
import { answerAsk, liftStops, placeStop, retryRun } from "./transitions.ts";
import type { Ask, Spec, World } from "./world.ts";
import { nameInFleet, nameWorkload } from "./workload-key.ts";

/** Stamped when it is recorded: "placed later" is judged by one clock, the planner's. */
function makeStop(world: World, { id, scope, strength, who, why, until }: Ask): StopRecord {
  const at = printTime(world.now);
  const stop = { id, scope, strength, at, who, why, cause: "verb" as const };
  return until === undefined ? stop : { ...stop, until };
}

/** Why a run cannot be rolled back; undefined when it can. */
function refuseRollback(
  { specs }: World,
  ledger: LedgerState,
  ask: Ask,
  run: RunRecord | undefined,
): string | undefined {
  if (run === undefined) return `there is no ${ask.scope}: meshroll history lists the runs`;
  if (run.state === "gone") return `run ${run.id} is gone: its commit vanished from main`;
  if (listForwardBuckets(run).length === 0) {
    return `run ${run.id} is a return itself: what it took back is raised again by a change of rollouts.yml`;
  }
  const { revertTo: commit = run.before, now = false } = ask;
  return refuseTarget(ledger, run, { commit, to: specs.get(commit), now });
}

/** The run stops at once; what brings its buckets back follows from the stop's `revertTo` (rules 2.2, 2.4). */
function rollBack(world: World, ledger: LedgerState, ask: Ask): LedgerDecision {
  const run = findRun(ledger, ask.scope);
  const refusal = refuseRollback(world, ledger, ask, run);
  if (refusal !== undefined || run === undefined) {
    const answer = `not rolled back: ${refusal ?? ""}`;
    return answerAsk(world, ledger, ask, { code: "RollbackRefused", answer, outcome: "refused" });
  }
  const stop: StopRecord = {
    ...makeStop(world, ask),
    strength: "move",
    cause: "rollback",
    revertTo: ask.revertTo ?? run.before,
    ...(ask.now === undefined ? {} : { now: ask.now }),
  };
  return placeStop(world, ledger, stop, ask);
}

/** The oldest verb that is not recorded yet; a retry waits for a main that parses, see `carryOutRetry`. */
export function carryOutAsks(world: World, ledger: LedgerState): LedgerDecision | undefined {
  const waiting = world.asks.filter((ask) => lookUp(ledger.asks, ask.id) === undefined && ask.verb !== "retry");
  const ask = waiting.toSorted((a, b) => (a.at < b.at ? -1 : 1))[0];
  switch (ask?.verb) {
    case undefined:
    case "retry":
      return undefined;
    case "lift":
      return liftStops(world, ledger, ask);
    case "rollback":
      return rollBack(world, ledger, ask);
    case "stop":
      return placeStop(world, ledger, makeStop(world, ask), ask);
  }
}

/** The one try of what was unhealthy before the run, put back. */
function isTriedAndUndone({ run, previous }: ReadMarks, target: string): boolean {
  return run?.target === target && run.unhealthyBefore && previous === undefined;
}

/** An object of ours on which a try for this target ended: how many tries it had; undefined when none ended. */
function countTries(object: Marked, target: string, withUnhealthy: boolean): number | undefined {
  const marks = parseMarks(object.annotations);
  if (marks.kind === "unreadable") return undefined;
  const isOver =
    marks.failed?.revision === target ||
    (withUnhealthy && isTriedAndUndone(marks, target)) ||
    judgeTakenBack(object)?.target === target;
  return isOver ? (marks.run?.attempt ?? 1) : undefined;
}

/** Who owns what once the run is open again: what a later run took over is that one's to retry. */
function openAgain(world: World, ledger: LedgerState, head: Spec, run: RunRecord): (namespace: string) => Ownership {
  const opened: LedgerState = { ...ledger, runs: { ...ledger.runs, [run.id]: { ...run, state: "open" } } };
  const stops = collectStops(ledger, world.asks, world.clusters.values(), head);
  return createOwnership(head, opened, world.specs, stops);
}

/** Everything whose try for the run ended, by `cluster:namespace/Kind/name` (or `cluster:namespace/*`): tries it had. */
function listEnded(
  world: World,
  run: RunRecord,
  ownerOf: (namespace: string) => Ownership,
  withUnhealthy: boolean,
): Readonly<Record<string, number>> {
  const tries = new Map<string, number>();
  for (const cluster of world.clusters.values()) {
    for (const { namespace, workloads } of cluster.namespaces.values()) {
      const owned = ownerOf(namespace.name);
      if (owned.run?.id !== run.id) continue;
      const target = owned.desired;
      const own = countTries(namespace, target, withUnhealthy);
      if (own !== undefined) tries.set(nameInFleet(cluster.name, `${namespace.name}/*`), own);
      for (const workload of workloads) {
        const count = countTries(workload, target, withUnhealthy);
        if (count !== undefined) tries.set(nameInFleet(cluster.name, nameWorkload(workload)), count);
      }
    }
  }
  return Object.fromEntries(tries);
}

/** A namespace that failed as one is tried again as one, whichever of its workloads is named. */
function isNamed(name: string, names: readonly string[]): boolean {
  return names.includes(name) || (name.endsWith("/*") && names.some((each) => each.startsWith(name.slice(0, -1))));
}

function pickNamed(
  ended: Readonly<Record<string, number>>,
  names: readonly string[] | undefined,
): Readonly<Record<string, number>> {
  return names === undefined
    ? ended
    : Object.fromEntries(Object.entries(ended).filter(([name]) => isNamed(name, names)));
}

/** All that a run is opened again by: its record, and the files before and after it. */
function isAtHand({ specs }: World, { archived, commit, before, state }: RunRecord): boolean {
  return archived !== "unreadable" && state !== "gone" && specs.has(commit) && specs.has(before);
}

function refuseRetry({ scope }: Ask, run: RunRecord | undefined): string {
  return run?.archived === "unreadable"
    ? `nothing to retry: the record of ${scope} in the archive of branch meshroll/ledger cannot be read`
    : `nothing to retry: ${scope} is not open, and too old to be opened again`;
}

/** Of a run that is over by the ledger alone: workloads that it never tried. */
function listLeftBehind(
  world: World,
  ledger: LedgerState,
  head: Spec,
  run: RunRecord,
): Readonly<Record<string, number>> {
  if (run.state === "open") return {};
  const unproven = listUnproven({ world, ledger, head, survey: surveyFleet(world, head) }, run);
  return Object.fromEntries(unproven.map((name) => [name, 0]));
}

/** The oldest retry: marks are forgiven by the ledger, and the next write replaces them on the objects. */
export function carryOutRetry(world: World, ledger: LedgerState): LedgerDecision | undefined {
  const waiting = listRetries(world, ledger).filter((each) => !isUnread(each, ledger));
  const ask = waiting.toSorted((a, b) => (a.at < b.at ? -1 : 1))[0];
  if (ask === undefined) return undefined;
  const run = findRun(ledger, ask.scope);
  const head = world.specs.get(world.main.head);
  if (run === undefined || head === undefined || !isAtHand(world, run)) {
    return answerAsk(world, ledger, ask, { code: "NothingToRetry", answer: refuseRetry(ask, run), outcome: "nothing" });
  }
  // What was unhealthy before was never our failure: it is tried once more only when somebody names it.
  const ended = listEnded(world, run, openAgain(world, ledger, head, run), ask.workloads !== undefined);
  let tries = pickNamed(ended, ask.workloads);
  if (Object.keys(tries).length === 0 && ask.workloads === undefined) tries = listLeftBehind(world, ledger, head, run);
  if (Object.keys(tries).length > 0) return retryRun(world, ledger, run, tries, ask);
  const answer = `nothing to retry: nothing of run ${run.id} failed`;
  return answerAsk(world, ledger, ask, { code: "NothingToRetry", answer, outcome: "nothing" });
}
