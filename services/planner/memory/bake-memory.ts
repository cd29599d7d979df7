import { lookUp } from "#libs/input";
import { type BakeWatch, type LedgerState, watchBakes, type Snapshot } from "#libs/plan";

/** What this planner saw of one bake since the ledger saved it last. */
interface WatchedBake extends BakeWatch {
  readonly savedMs: number;
  /** The ledger's record that it continues from; a newer record includes what was seen before it. */
  readonly savedAt: string;
  /** `Clock.elapsed` at the last reconcile, ms; setting the machine's clock does not change it. */
  readonly elapsed: number;
  /** Real monotonic ms of that reconcile. */
  readonly real: number;
  /** `real` of the first reconcile that found the bake paused; absent while it counts. */
  readonly pausedSince?: number;
}

/** By run id. */
export type BakeMemory = Map<string, WatchedBake>;

/** If two reconciles are further apart than an inventory stays fresh, nothing was seen in between (rules 9.1), real ms. */
const blindMs = 60_000;

/** The time since the last reconcile, ms; 0 if the bake was paused then, or the reconciles are too far apart. */
function countSince(before: WatchedBake | undefined, elapsed: number, real: number): number {
  if (before === undefined || before.paused !== undefined || real - before.real > blindMs) return 0;
  return Math.max(0, elapsed - before.elapsed);
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

/**
 * Healthy time since the newest record, and time that is in it: after a new record all that was seen before counts as saved.
 */
function carryOver(before: WatchedBake | undefined, savedAt: string): Pick<WatchedBake, "healthyMs" | "savedMs"> {
  if (before === undefined || before.savedAt === savedAt) return before ?? nothingSeen;
  return { healthyMs: 0, savedMs: before.savedMs + before.healthyMs };
}

/**
 * Adds to each bake the time since the last reconcile, if its workloads were healthy then and are now (rules 6.2). After a
 * restart it continues from the ledger's record, so a bake becomes longer and never shorter.
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
    memory.set(run.id, { savedAt, savedMs, healthyMs, elapsed, real, ...notePause(before, paused, real) });
  }
}

/** Healthy time that is not in the ledger yet, by run id. A bake with a newer record is left out: the record includes it. */
export function readBakes(memory: BakeMemory, ledger: LedgerState | undefined): ReadonlyMap<string, BakeWatch> {
  const own = [...memory].filter(([id, { savedAt }]) => lookUp(ledger?.runs, id)?.bake?.savedAt === savedAt);
  return new Map(own);
}
