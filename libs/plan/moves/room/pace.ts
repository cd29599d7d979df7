import type { JudgedWorkloads } from "../../index/index.ts";
import type { ClusterSnapshot } from "../../records/index.ts";

/**
 * What one executor saw move in its cluster, whatever any job says: by `namespace/Kind/name`, when a workload of ours was
 * last seen to roll, or first to rest (`elapsed` ms). A process that starts takes it from the objects (`findRestAt`); where
 * their API server says nothing all that carries our mark counts as seen just then: it waits longer, never shorter.
 */
export interface Pace {
  readonly rolledAt: ReadonlyMap<string, number>;
  /** Ms of `now`-time that goes on evenly however the machine's clock is set. */
  readonly elapsed: number;
}

/** What an executor knows of the batch that rolls. */
interface RollingBatch {
  readonly judged: JudgedWorkloads;
  readonly stalled: ReadonlyMap<string, number>;
  readonly pace: Pace;
  readonly cluster: Pick<ClusterSnapshot, "serverNow">;
}

/** When the last workload came to rest, in `now`-time: the delay between two batches counts from there. */
export function findBatchEnd({ pace, now }: { readonly pace: Pace; readonly now: number }): number {
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
export function countBegun({ judged, stalled, pace, cluster }: RollingBatch): number | undefined {
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
