import { findRunNamed, lookUp } from "#libs/input";
import { type Event, makeEvent } from "#libs/events";
import type { Decision, Snapshot, StopRecord } from "#libs/plan";
import { kubectlStop, printText, type Reason, type ReasonCode, type RenderedReason, renderReason } from "#libs/wording";

/** Since when something has stood, and whether people were notified. */
interface WorkloadState {
  /** `now`-time. */
  readonly since: number;
  /** Real ms of the same moment. */
  readonly sinceReal: number;
  readonly told: boolean;
  /** Real ms when this planner learnt of it from the one before; absent = it saw it begin. */
  readonly restoredAt?: number;
}

interface Wait extends WorkloadState {
  readonly scope: string;
  /** As it was reported; one that a planner before this one told is known by its words alone. */
  readonly reason: RenderedReason;
}

/** What the reconciles before this one saw, those of the planner before included. */
export interface WaitMemory {
  /** By `<scope> <code>`. */
  readonly waits: ReadonlyMap<string, Wait>;
  /** Clusters that are not seen, by name. */
  readonly away: ReadonlyMap<string, WorkloadState>;
  /** Ids of stops whose owners were asked. */
  readonly overdue: ReadonlySet<string>;
}

export const noWaits: WaitMemory = { waits: new Map(), away: new Map(), overdue: new Set() };

/** What one reconcile of the planner saw. */
export interface WaitReconcile {
  /** `now`-time, epoch ms. */
  readonly now: number;
  /** Real ms since some fixed moment. */
  readonly real: number;
  readonly snapshot: Pick<Snapshot, "clusters" | "ledger">;
  readonly decisions: readonly Decision[];
}

/** Real ms that something must stand before people are notified: a restarted istiod or planner is no news. */
const standsFor = 30_000;

/** Waits of which another message tells: a stop, a cluster that is away, a proposed stage. */
const toldOtherwise: readonly ReasonCode[] = [
  "Stopped",
  "StageHeld",
  "ClusterUnreachable",
  "NoBaseline",
  "ApprovalNeeded",
];
/** Nothing to type, and still only a person fixes it. */
const forPeople: readonly ReasonCode[] = [
  "GitDown",
  "LedgerDown",
  "LedgerSlow",
  "QueueDown",
  "TagNotMoved",
  "BudgetsUnknown",
];

/** True when only a person ends the wait: there is something to type, and no time at which it ends by itself. */
function needsPerson(reason: Reason): boolean {
  const { code, until } = reason;
  if (forPeople.includes(code)) return true;
  // A ConfigMap that a person made with kubectl is no record, so no message told of it.
  if (code === "Stopped") return reason.stop.id === kubectlStop;
  return renderReason(reason).command !== undefined && until === undefined && !toldOtherwise.includes(code);
}

function readRun(scope: string): { readonly run?: string } {
  const run = findRunNamed(scope);
  return run === undefined ? {} : { run };
}

function printTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Runs that are not over without the cluster. */
function listRuns({ snapshot }: WaitReconcile, cluster: string): readonly string[] {
  const runs = Object.values(snapshot.ledger?.runs ?? {});
  return runs.filter((run) => run.state === "open" && lookUp(run.clusters, cluster) !== undefined).map(({ id }) => id);
}

/** A planner that has just started has not seen everything yet: that it does not find a wait is no sign that it is over. */
function isUnsettled({ restoredAt }: WorkloadState, { real }: WaitReconcile): boolean {
  return restoredAt !== undefined && real - restoredAt < standsFor;
}

function isRipe(state: WorkloadState, reconcile: WaitReconcile): boolean {
  return !state.told && reconcile.real - state.sinceReal >= standsFor;
}

function tellBegan({ scope, reason, since }: Wait, reconcile: WaitReconcile): Event {
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

function tellEnded({ scope, reason, since }: Wait, reconcile: WaitReconcile): Event {
  const data = { scope, code: reason.code, since: printTime(since), ...readRun(scope) };
  return makeEvent("waitEnded", `waitEnded-${scope}-${reason.code}-${printTime(since)}`, reconcile.now, data);
}

function tellCluster(
  name: "clusterUnreachable" | "clusterSeen",
  cluster: string,
  { since }: WorkloadState,
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

function collectAway(memory: WaitMemory, reconcile: WaitReconcile): ReadonlyMap<string, WorkloadState> {
  const away = new Map<string, WorkloadState>();
  for (const { name, fresh } of reconcile.snapshot.clusters.values()) {
    const before = memory.away.get(name) ?? { since: reconcile.now, sinceReal: reconcile.real, told: false };
    if (!fresh) away.set(name, before);
  }
  for (const [name, state] of memory.away) {
    if (!reconcile.snapshot.clusters.has(name) && isUnsettled(state, reconcile)) away.set(name, state);
  }
  return away;
}

/** Tells of what has stood long enough; answers what is remembered as told. */
function tellRipe<T extends WorkloadState>(
  state: ReadonlyMap<string, T>,
  reconcile: WaitReconcile,
  tell: (key: string, each: T) => void,
): ReadonlyMap<string, T> {
  return new Map(
    [...state].map(([key, each]) => {
      if (!isRipe(each, reconcile)) return [key, each];
      tell(key, each);
      return [key, { ...each, told: true }];
    }),
  );
}

/** Tells of what was told and does not stand any more. */
function tellOver<T extends WorkloadState>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  tell: (key: string, each: T) => void,
): void {
  for (const [key, each] of before) if (each.told && !after.has(key)) tell(key, each);
}

/** Stops in force whose time has passed: they stay, and their owners are reminded (rules 7.1). */
function listOverdue({ now, snapshot }: WaitReconcile): readonly (StopRecord & { readonly until: string })[] {
  return Object.values(snapshot.ledger?.stops ?? {}).flatMap((stop) => {
    const { until, resume } = stop;
    return until === undefined || resume !== undefined || Date.parse(until) > now ? [] : [{ ...stop, until }];
  });
}

/**
 * What people must be told of waits that only a person ends and of clusters that are not seen: each once when it has
 * stood for half a minute, and once more when it is over; and of stops that are overdue. Pure: the next reconcile gets the answer's memory.
 */
export function tellWaits(
  memory: WaitMemory,
  reconcile: WaitReconcile,
): { readonly memory: WaitMemory; readonly events: readonly Event[] } {
  const events: Event[] = [];
  const waits = tellRipe(collectWaits(memory, reconcile), reconcile, (_, wait) =>
    events.push(tellBegan(wait, reconcile)),
  );
  tellOver(memory.waits, waits, (_, wait) => events.push(tellEnded(wait, reconcile)));
  const away = tellRipe(collectAway(memory, reconcile), reconcile, (name, state) => {
    events.push(tellCluster("clusterUnreachable", name, state, reconcile));
  });
  tellOver(memory.away, away, (name, state) => events.push(tellCluster("clusterSeen", name, state, reconcile)));
  const overdue = listOverdue(reconcile);
  for (const { id, scope, who, why, until, strength } of overdue) {
    if (memory.overdue.has(id)) continue;
    const data = { stop: id, scope, who, why, until, strength };
    events.push(makeEvent("stopOverdue", `stopOverdue-${id}`, reconcile.now, data));
  }
  return { memory: { waits, away, overdue: new Set(overdue.map(({ id }) => id)) }, events };
}
