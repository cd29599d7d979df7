import { lookUp } from "#libs/input";
import { type BakeWatch, type LedgerState, watchBakes, type Snapshot } from "#libs/plan";

/** What this planner watched of one bake since the ledger saved it last. */
interface WatchedBake extends BakeWatch {
  readonly savedMs: number;
  /** Which record it goes on from: another one holds what was watched before. */
  readonly savedAt: string;
  /** Ms of Clock's even time, which cannot be set. */
  readonly lookedAt: number;
  /** Real monotonic ms of that reconcile. */
  readonly real: number;
  /** The same of the reconcile that found it interrupted first; absent while it counts. */
  readonly pausedSince?: number;
}

/** By run id. */
export type BakeMemory = Map<string, WatchedBake>;

/** Between two reconciles that are further apart than an inventory is fresh, nothing was seen (rules 9.1), real ms. */
const blindMs = 60_000;

/** Healthy at both ends of a time that was not too long to have been seen. */
function countSince(before: WatchedBake | undefined, elapsed: number, real: number): number {
  if (before === undefined || before.paused !== undefined || real - before.real > blindMs) return 0;
  return Math.max(0, elapsed - before.lookedAt);
}

function notePause(
  before: WatchedBake | undefined,
  paused: BakeWatch["paused"],
  real: number,
): Pick<WatchedBake, "paused" | "pausedSince" | "pausedMs"> {
  if (paused === undefined) return {};
  const pausedSince = before?.pausedSince ?? real;
  return { paused, pausedSince, pausedMs: real - pausedSince };
}

const nothingSeen: Pick<WatchedBake, "healthyMs" | "savedMs"> = { healthyMs: 0, savedMs: 0 };

/** What is not in the ledger yet, and what is: another record than the last one holds all that was seen before. */
function carryOver(before: WatchedBake | undefined, savedAt: string): Pick<WatchedBake, "healthyMs" | "savedMs"> {
  if (before === undefined || before.savedAt === savedAt) return before ?? nothingSeen;
  return { healthyMs: 0, savedMs: before.savedMs + before.healthyMs };
}

/**
 * Adds to each bake the time since the last reconcile, if its workloads were seen healthy then and are now (rules 6.2). A planner
 * that restarts continues from what the ledger says: longer, never shorter.
 */
export function rememberBakes(memory: BakeMemory, snapshot: Snapshot, real: number, elapsed: number): void {
  const watched = watchBakes(snapshot);
  const open = new Set(watched.map(({ run }) => run.id));
  for (const id of memory.keys()) if (!open.has(id)) memory.delete(id);
  for (const { run, paused } of watched) {
    const before = memory.get(run.id);
    const savedAt = run.bake?.savedAt ?? "";
    const { healthyMs: kept, savedMs } = carryOver(before, savedAt);
    const healthyMs = kept + (paused === undefined ? countSince(before, elapsed, real) : 0);
    memory.set(run.id, { savedAt, savedMs, healthyMs, lookedAt: elapsed, real, ...notePause(before, paused, real) });
  }
}

/** What is not in the ledger yet. What was watched before a record that stands there now is in it already. */
export function readBakes(memory: BakeMemory, ledger: LedgerState | undefined): ReadonlyMap<string, BakeWatch> {
  const own = [...memory].filter(([id, { savedAt }]) => lookUp(ledger?.runs, id)?.bake?.savedAt === savedAt);
  return new Map(own);
}
