import { findRunNamed, lookUp } from "#libs/input";
import { type Event, makeEvent } from "#libs/events";
import type { Decision, Snapshot, StopRecord } from "#libs/plan";
import { kubectlStop, printText, type Reason, type ReasonCode, type RenderedReason, renderReason } from "#libs/wording";

/** Since when a condition has lasted, and whether it was published. */
interface Condition {
  /** `now`-time. */
  readonly since: number;
  /** Real ms of the same moment. */
  readonly sinceReal: number;
  readonly told: boolean;
  /** Real ms at which this planner read it from the store; absent = it saw it begin. */
  readonly restoredAt?: number;
}

interface Wait extends Condition {
  readonly scope: string;
  /** Rendered: a wait that the last planner stored has only its text. */
  readonly reason: RenderedReason;
}

/** What earlier reconciles saw, also those of the last planner. */
export interface WaitMemory {
  /** By `<scope> <code>`. */
  readonly waits: ReadonlyMap<string, Wait>;
  /** Unreachable clusters, by name. */
  readonly away: ReadonlyMap<string, Condition>;
  /** Ids of overdue stops whose owners were reminded. */
  readonly overdue: ReadonlySet<string>;
}

export const noWaits: WaitMemory = { waits: new Map(), away: new Map(), overdue: new Set() };

/** What one reconcile of the planner saw. */
export interface WaitReconcile {
  /** `now`-time, epoch ms. */
  readonly now: number;
  /** Real ms since a fixed moment. */
  readonly real: number;
  readonly snapshot: Pick<Snapshot, "clusters" | "ledger">;
  readonly decisions: readonly Decision[];
}

/** How long a condition must last before it is published, real ms: an istiod or a planner that restarts is no news. */
const minimumMs = 30_000;

/** Waits that another event reports: a stop, an unreachable cluster, a proposed stage. */
const reportedElsewhere: readonly ReasonCode[] = [
  "Stopped",
  "StageHeld",
  "ClusterUnreachable",
  "NoBaseline",
  "ApprovalNeeded",
];
/** Waits that only people can end although there is no command for it. */
const fixedByPeople: readonly ReasonCode[] = [
  "GitDown",
  "LedgerDown",
  "LedgerSlow",
  "QueueDown",
  "TagNotMoved",
  "BudgetsUnknown",
];

/** True when only a person can end the wait: there is a command to type, and no time at which it ends by itself. */
function needsPerson(reason: Reason): boolean {
  const { code, until } = reason;
  if (fixedByPeople.includes(code)) return true;
  // A stop by kubectl's ConfigMap is not in the ledger, so no other event reports it.
  if (code === "Stopped") return reason.stop.id === kubectlStop;
  return renderReason(reason).command !== undefined && until === undefined && !reportedElsewhere.includes(code);
}

function readRun(scope: string): { readonly run?: string } {
  const run = findRunNamed(scope);
  return run === undefined ? {} : { run };
}

export function printTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Ids of open runs that have workloads in the cluster. */
function listRuns({ snapshot }: WaitReconcile, cluster: string): readonly string[] {
  const runs = Object.values(snapshot.ledger?.runs ?? {});
  return runs.filter((run) => run.state === "open" && lookUp(run.clusters, cluster) !== undefined).map(({ id }) => id);
}

/** A planner that has just started has not gathered everything yet, so a wait that it does not find may still last. */
function isUnsettled({ restoredAt }: Condition, { real }: WaitReconcile): boolean {
  return restoredAt !== undefined && real - restoredAt < minimumMs;
}

function isDue(condition: Condition, reconcile: WaitReconcile): boolean {
  return !condition.told && reconcile.real - condition.sinceReal >= minimumMs;
}

function makeWaitBegan({ scope, reason, since }: Wait, reconcile: WaitReconcile): Event {
  const { code, message, owner, command, until } = reason;
  return makeEvent("waitBegan", `waitBegan-${scope}-${code}-${printTime(since)}`, reconcile.now, {
    scope,
    code,
    since: printTime(since),
    message: printText(message),
    owner,
    ...readRun(scope),
    ...(command === undefined ? {} : { command }),
    ...(until === undefined ? {} : { until }),
  });
}

function makeWaitEnded({ scope, reason, since }: Wait, reconcile: WaitReconcile): Event {
  const data = { scope, code: reason.code, since: printTime(since), ...readRun(scope) };
  return makeEvent("waitEnded", `waitEnded-${scope}-${reason.code}-${printTime(since)}`, reconcile.now, data);
}

function makeClusterEvent(
  name: "clusterUnreachable" | "clusterSeen",
  cluster: string,
  { since }: Condition,
  reconcile: WaitReconcile,
): Event {
  const data = { cluster, since: printTime(since), runs: [...listRuns(reconcile, cluster)] };
  return makeEvent(name, `${name}-${cluster}-${printTime(since)}`, reconcile.now, data);
}

function collectWaits(memory: WaitMemory, reconcile: WaitReconcile): ReadonlyMap<string, Wait> {
  const waits = new Map<string, Wait>();
  for (const decision of reconcile.decisions) {
    if (decision.kind !== "wait" || !needsPerson(decision.reason)) continue;
    const key = `${decision.scope} ${decision.reason.code}`;
    const before = memory.waits.get(key) ?? { since: reconcile.now, sinceReal: reconcile.real, told: false };
    waits.set(key, { ...before, scope: decision.scope, reason: renderReason(decision.reason) });
  }
  for (const [key, wait] of memory.waits) if (!waits.has(key) && isUnsettled(wait, reconcile)) waits.set(key, wait);
  return waits;
}

function collectAway(memory: WaitMemory, reconcile: WaitReconcile): ReadonlyMap<string, Condition> {
  const away = new Map<string, Condition>();
  for (const { name, fresh } of reconcile.snapshot.clusters.values()) {
    const before = memory.away.get(name) ?? { since: reconcile.now, sinceReal: reconcile.real, told: false };
    if (!fresh) away.set(name, before);
  }
  for (const [name, condition] of memory.away) {
    if (!reconcile.snapshot.clusters.has(name) && isUnsettled(condition, reconcile)) away.set(name, condition);
  }
  return away;
}

/** Calls `tell` for each condition that has lasted long enough; returns the conditions with those marked as told. */
function reportDue<T extends Condition>(
  conditions: ReadonlyMap<string, T>,
  reconcile: WaitReconcile,
  tell: (key: string, each: T) => void,
): ReadonlyMap<string, T> {
  return new Map(
    [...conditions].map(([key, each]) => {
      if (!isDue(each, reconcile)) return [key, each];
      tell(key, each);
      return [key, { ...each, told: true }];
    }),
  );
}

/** Calls `tell` for each condition that was told and is over. */
function reportEnded<T extends Condition>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  tell: (key: string, each: T) => void,
): void {
  for (const [key, each] of before) if (each.told && !after.has(key)) tell(key, each);
}

/** Stops in force after their `until`: they stay in force, and their owners are reminded (rules 7.1). */
function listOverdue({ now, snapshot }: WaitReconcile): readonly (StopRecord & { readonly until: string })[] {
  return Object.values(snapshot.ledger?.stops ?? {}).flatMap((stop) => {
    const { until, resume } = stop;
    return until === undefined || resume !== undefined || Date.parse(until) > now ? [] : [{ ...stop, until }];
  });
}

/**
 * The events about waits that only a person can end and about unreachable clusters (each once after half a minute, and once
 * when it is over), and about overdue stops. Pure: pass the returned memory to the next reconcile.
 */
export function updateWaits(
  memory: WaitMemory,
  reconcile: WaitReconcile,
): { readonly memory: WaitMemory; readonly events: readonly Event[] } {
  const events: Event[] = [];
  const waits = reportDue(collectWaits(memory, reconcile), reconcile, (_, wait) =>
    events.push(makeWaitBegan(wait, reconcile)),
  );
  reportEnded(memory.waits, waits, (_, wait) => events.push(makeWaitEnded(wait, reconcile)));
  const away = reportDue(collectAway(memory, reconcile), reconcile, (name, condition) => {
    events.push(makeClusterEvent("clusterUnreachable", name, condition, reconcile));
  });
  reportEnded(memory.away, away, (name, condition) =>
    events.push(makeClusterEvent("clusterSeen", name, condition, reconcile)),
  );
  const overdue = listOverdue(reconcile);
  for (const { id, scope, who, why, until, strength } of overdue) {
    if (memory.overdue.has(id)) continue;
    const data = { stop: id, scope, who, why, until, strength };
    events.push(makeEvent("stopOverdue", `stopOverdue-${id}`, reconcile.now, data));
  }
  return { memory: { waits, away, overdue: new Set(overdue.map(({ id }) => id)) }, events };
}
