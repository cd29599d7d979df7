import { isBatched } from "./permit.ts";
import { type ExecutorSnapshot, findRunById } from "./facts.ts";

/** What was so when a job began, and how long ago that was, real ms. */
export interface JobBegin {
  /** Failed workloads of its run in the cluster. */
  readonly failed: number;
  readonly ageMs: number;
}

/**
 * A job is continued for so long, real ms: what only the planner sees, as a gate without a result, holds the next job. As long
 * as executors believe control.
 */
const continuedMs = 30_000;

export function countFailed({ judged }: ExecutorSnapshot, run: string): number {
  return judged.count({ run, is: "failed" });
}

/** An older open run has workloads to move in this cluster: its turn is before that of this run (rules 1.3). */
function hasOlder({ judged, ledger }: ExecutorSnapshot, id: string): boolean {
  const own = findRunById(ledger, id);
  return Object.values(ledger?.runs ?? {}).some(
    (run) => run.state === "open" && run.order < (own?.order ?? 0) && judged.count({ run: run.id, is: "pending" }) > 0,
  );
}

/**
 * Whether a forward job of strategy `Window`, whose workloads are all patched, fills the places that become free. Otherwise it
 * ends: a failure may have to stop the run, and which run is next is the planner's to say.
 */
export function mayContinue(snapshot: ExecutorSnapshot, run: string, { failed, ageMs }: JobBegin): boolean {
  if (isBatched(snapshot, { run }) || ageMs >= continuedMs) return false;
  return countFailed(snapshot, run) <= failed && !hasOlder(snapshot, run);
}
