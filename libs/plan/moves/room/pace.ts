import type { ExecutorSnapshot } from "../permit/facts.ts";

/** When the last workload came to rest, in `now`-time: the delay between two batches counts from there. */
export function findBatchEnd({ pace, now }: Pick<ExecutorSnapshot, "pace" | "now">): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (const at of pace.rolledAt.values()) latest = Math.max(latest, at);
  return now - pace.elapsed + latest;
}

/** An API server tells whole seconds, and its time was asked for a moment ago, ms: rather one too many is counted. */
const unsureMs = 2000;

/**
 * How many workloads the batch has that rolls: what rolled since the first of it was written. An executor that takes a job over in
 * the middle of a batch goes on with the rest. Undefined where the objects do not say it.
 */
export function countBegun(snapshot: ExecutorSnapshot): number | undefined {
  const { judged, stalled, pace, cluster } = snapshot;
  let first = pace.elapsed;
  for (const { key, workload } of judged.list("rolling")) {
    if (stalled.has(key)) continue;
    const { written } = workload.times ?? {};
    if (written === undefined || cluster.serverNow === undefined) return undefined;
    first = Math.min(first, pace.elapsed - (cluster.serverNow - written) - unsureMs);
  }
  let count = 0;
  for (const at of pace.rolledAt.values()) if (at >= first) count += 1;
  return count;
}
