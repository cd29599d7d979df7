import type { Event } from "#libs/events";
import { lookUp } from "#libs/input";
import type { LedgerDecision, LedgerState, RunRecord, Snapshot } from "#libs/plan";

import { describeTransition } from "./describe-transition.ts";

type Of<K extends LedgerDecision["kind"]> = Extract<LedgerDecision, { readonly kind: K }>;

/** What people are told of does not name the reason: the records have it. */
const reason = { code: "", message: "", owner: "meshroll" };

interface Change {
  readonly before: RunRecord;
  readonly after: RunRecord;
  readonly ledger: LedgerState;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Waves that opened, and those in which nothing is left. */
function findWaves({ before, after, ledger }: Change): readonly LedgerDecision[] {
  const run = after.id;
  const opened = Object.keys(after.clusters).filter((name) => lookUp(before.clusters, name) === undefined);
  const closed = Object.entries(after.clusters).flatMap(([name, { doneAt }]) => {
    const known = lookUp(before.clusters, name);
    return doneAt !== undefined && known !== undefined && known.doneAt === undefined ? [name] : [];
  });
  return [
    ...(opened.length === 0 ? [] : [{ kind: "openWave" as const, run, clusters: opened, ledger, reason }]),
    ...(closed.length === 0 ? [] : [{ kind: "closeWave" as const, run, clusters: closed, ledger, reason }]),
  ];
}

function nameStep({ bake: before }: RunRecord, { bake: after }: RunRecord): Of<"saveBake">["step"] {
  if (before === undefined || after === undefined) return "began";
  if (after.paused !== undefined) return "paused";
  return after.healthyMs >= after.neededMs ? "over" : "progress";
}

function findBake({ before, after, ledger }: Change): readonly LedgerDecision[] {
  if (after.bake === undefined || isSame(before.bake, after.bake)) return [];
  return [{ kind: "saveBake", run: after, step: nameStep(before, after), ledger, reason }];
}

function findVerdicts({ before, after, ledger }: Change): readonly LedgerDecision[] {
  const news = Object.entries(after.gates ?? {}).filter(([gate, said]) => !isSame(lookUp(before.gates, gate), said));
  return news.map(([gate]) => ({ kind: "judgeGate" as const, run: after, gate, ledger, reason }));
}

function findOfRun(before: RunRecord | undefined, after: RunRecord, ledger: LedgerState): readonly LedgerDecision[] {
  // What moved to the archive is as it was.
  if (before === after || after.archived !== undefined || before?.archived !== undefined) return [];
  if (before === undefined) return [{ kind: "startRun", run: after, ledger, reason }];
  if (before.state === "open" && after.state !== "open") return [{ kind: "finishRun", run: after, ledger, reason }];
  const change = { before, after, ledger };
  return [...findWaves(change), ...findBake(change), ...findVerdicts(change)];
}

function findOfPlans(before: LedgerState, ledger: LedgerState): readonly LedgerDecision[] {
  const news = Object.values(ledger.plans).filter((plan) => !isSame(lookUp(before.plans, plan.head), plan));
  return news.map((plan) => ({ kind: "recordPlan" as const, plan, ledger, reason }));
}

/** Stops are told with any transition: here with one that tells nothing else. */
function findOfStops(ledger: LedgerState): LedgerDecision {
  return { kind: "judge", ledger, reason };
}

/** True when the messages of a transition name a pull request: it must have been read first. */
export function needsPulls(before: LedgerState, after: LedgerState): boolean {
  return findOfPlans(before, after).length > 0;
}

/**
 * What people are told of a transition, from the two states of the ledger alone: the same messages, by the same ids, as when it was
 * decided. `at`: when it was recorded, epoch ms.
 */
export function describeChange(
  snapshot: Snapshot,
  before: LedgerState,
  after: LedgerState,
  at: number,
): readonly Event[] {
  const then = { ...snapshot, now: at, ledger: before };
  const runs = Object.values(after.runs).flatMap((run) => findOfRun(lookUp(before.runs, run.id), run, after));
  const found = [...runs, ...findOfPlans(before, after)];
  // The stops of one transition are told once, whatever else it did.
  const withoutStops = { ...after, stops: before.stops };
  const told = found.flatMap((decision) => describeTransition(then, { ...decision, ledger: withoutStops }));
  return [...told, ...describeTransition(then, findOfStops(after))];
}
