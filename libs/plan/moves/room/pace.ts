import type { JudgedWorkloads } from "../../index/index.ts";
import type { ClusterSnapshot } from "../../records/index.ts";

/**
 * When one executor saw workloads of ours roll, whatever jobs say. `rolledAt`: by `namespace/Kind/name`, when it was last seen
 * to roll (`elapsed` ms). A new process reads it from the objects (`findRestAt`); where the API server's time is unknown,
 * everything with our annotation counts as seen just now, so the delay gets longer, never shorter.
 */
export interface Pace {
  readonly rolledAt: ReadonlyMap<string, number>;
  /** Ms of `now`-time, unaffected by changes of the machine's clock. */
  readonly elapsed: number;
}

/** What an executor knows of the present batch. */
interface RollingBatch {
  readonly judged: JudgedWorkloads;
  readonly stalled: ReadonlyMap<string, number>;
  readonly pace: Pace;
  readonly cluster: Pick<ClusterSnapshot, "serverNow">;
}

/** When the last workload came to rest, in `now`-time; the delay between two batches counts from it. */
export function findBatchEnd({ pace, now }: { readonly pace: Pace; readonly now: number }): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (const at of pace.rolledAt.values()) latest = Math.max(latest, at);
  return now - pace.elapsed + latest;
}

/**
 * Tolerance, ms: an API server's times are whole seconds, and its clock was read a moment ago. Counting one too many is safe.
 */
const unsureMs = 2000;

/**
 * How many workloads of the present batch were begun: everything that rolled since the first of it was written. A second job, as
 * after a wipe of Redis, fills up the batch that a first one began. Undefined where the objects do not say it.
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
