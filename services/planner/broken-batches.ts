import type { BatchFacts, BrokenBatches } from "#libs/plan";

import { type Moment, toNowTime } from "./to-now-time.ts";

/**
 * Ms of `elapsed` after the second batch that broke in a row, twice as long after each further one, up to the longest. None
 * after the first: it may have gone forward, and what goes back now must not wait for it.
 */
const firstPauseMs = 10_000;
const longestPauseMs = 300_000;

/** By cluster, what broke there since it last went well. Lost with the process: then it is tried once more at once. */
export type BrokenMemory = Map<string, Omit<BrokenBatches, "until"> & { readonly dueAt: number }>;

/** One more batch of the cluster broke. */
function noteBroken(memory: BrokenMemory, cluster: string, batch: BatchFacts, elapsed: number): void {
  const known = memory.get(cluster);
  const before = known?.run === batch.run ? known : undefined;
  const times = (before?.times ?? 0) + 1;
  const pauseMs = times === 1 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (times - 2));
  memory.set(cluster, {
    run: batch.run,
    times,
    reason: batch.reason ?? "no reason given",
    workloads: new Set([...(before?.workloads ?? []), ...batch.workloads]),
    dueAt: elapsed + pauseMs,
  });
}

/** A batch of the cluster ended well: whom it carried did not break it. */
function noteEnded(memory: BrokenMemory, cluster: string, batch: BatchFacts): void {
  const known = memory.get(cluster);
  if (known?.run !== batch.run) return;
  const carried = new Set(batch.workloads);
  const workloads = new Set([...known.workloads].filter((key) => !carried.has(key)));
  if (workloads.size === 0) memory.delete(cluster);
  else memory.set(cluster, { ...known, times: 0, workloads });
}

/** Notes what became of a cluster's batch between two looks of the planner. */
export function noteBatch(
  memory: BrokenMemory,
  cluster: string,
  before: BatchFacts | undefined,
  now: BatchFacts | undefined,
  elapsed: number,
): void {
  if (now?.state === "failed" && before?.state !== "failed") noteBroken(memory, cluster, now, elapsed);
  if (now === undefined && before !== undefined && before.state !== "failed") noteEnded(memory, cluster, before);
}

/** As a decision looks at it. */
export function readBroken(memory: BrokenMemory, cluster: string, moment: Moment): { readonly broken?: BrokenBatches } {
  const known = memory.get(cluster);
  if (known === undefined) return {};
  const { dueAt, ...rest } = known;
  return { broken: { ...rest, until: dueAt > moment.elapsed ? toNowTime(dueAt, moment) : moment.now } };
}
