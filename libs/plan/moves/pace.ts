import type { BatchSettings } from "#libs/campaign";

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

/** How many more may move now, or when the delay is over for one more. */
export type PaceVerdict = { readonly room: number } | { readonly untilElapsed: number };

/**
 * At most `batchSize` workloads roll within any `delayBetweenBatches`: a batch that settled holds the next one back for the
 * delay, and one that another executor began is gone on with.
 */
export function judgePace(
  { rolledAt, elapsed }: Pace,
  { batchSize, delayBetweenBatches }: Pick<BatchSettings, "batchSize" | "delayBetweenBatches">,
): PaceVerdict {
  const since = elapsed - delayBetweenBatches;
  const recent = [...rolledAt.values()].filter((at) => at > since);
  if (recent.length < batchSize) return { room: batchSize - recent.length };
  // One place is free when so many are older than the delay that fewer than `batchSize` are left.
  const sorted = recent.toSorted((a, b) => b - a);
  return { untilElapsed: (sorted[batchSize - 1] ?? elapsed) + delayBetweenBatches };
}
