import type { BatchFacts, BrokenBatches } from "#libs/plan";

import { type Moment, toNowTime } from "../loop/to-now-time.ts";

/**
 * Ms of `elapsed` after the second batch that broke in a row, twice as long after each further one, up to the longest. None
 * after the first: it may have gone forward, and what is rolled back now must not wait for it.
 */
const firstPauseMs = 10_000;
const longestPauseMs = 300_000;

/** What broke in one cluster; replaced when something in it changes, never changed. */
export interface BrokenRecord extends Omit<BrokenBatches, "until"> {
  /** `elapsed` before which none of its workloads is tried again. */
  readonly dueAt: number;
  /** Id of the batch that was counted last. */
  readonly last?: string;
  /** The batch of the same run that is in the queue, with those of `workloads` that it carries. */
  readonly carried?: { readonly id: string; readonly workloads: readonly string[] };
}

/** By cluster, what broke there since it last went well. Kept on the bus for the next planner (`broken-returns/keep-broken.ts`). */
export type BrokenMemory = Map<string, BrokenRecord>;

/** How long the pause is after so many batches that broke in a row, ms. */
export function choosePauseMs(times: number): number {
  return times <= 1 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (times - 2));
}

/** One more batch of the cluster broke. */
function noteBroken(memory: BrokenMemory, cluster: string, batch: BatchFacts, elapsed: number): void {
  const known = memory.get(cluster);
  const before = known?.run === batch.run ? known : undefined;
  const times = (before?.times ?? 0) + 1;
  memory.set(cluster, {
    run: batch.run,
    times,
    reason: batch.reason ?? "no reason given",
    workloads: new Set([...(before?.workloads ?? []), ...batch.workloads]),
    dueAt: elapsed + choosePauseMs(times),
    ...(batch.id === undefined ? {} : { last: batch.id }),
  });
}

/** A batch of the cluster's run ended well: whom it carried did not break it. */
function noteEnded(memory: BrokenMemory, cluster: string, known: BrokenRecord, ended: readonly string[]): void {
  const carried = new Set(ended);
  const workloads = new Set([...known.workloads].filter((key) => !carried.has(key)));
  const { carried: _, ...rest } = known;
  if (workloads.size === 0) memory.delete(cluster);
  else memory.set(cluster, { ...rest, times: 0, workloads });
}

/** Which workloads the batch carried that is not in the queue any more, and did not break; undefined where there was none. */
function findEnded(known: BrokenRecord, before: BatchFacts | undefined, now: BatchFacts | undefined) {
  const isSeen = before !== undefined && before.run === known.run && before.state !== "failed";
  // This planner may have begun while it was in the queue, or after that.
  const gone = isSeen ? before : known.carried;
  // A batch without an id is not told from the next one.
  if (gone === undefined || (now !== undefined && (gone.id === undefined || gone.id === now.id))) return undefined;
  // Counted as broken by another planner, which dropped it.
  return known.last !== undefined && gone.id === known.last ? undefined : gone.workloads;
}

function isNewlyBroken(known: BrokenRecord | undefined, before: BatchFacts | undefined, now: BatchFacts): boolean {
  if (now.state !== "failed") return false;
  return now.id === undefined ? before?.state !== "failed" : known?.last !== now.id;
}

/** Notes which batch is in the queue, for a planner that starts when it has left. */
function noteCarried(memory: BrokenMemory, cluster: string, { id, run, state, workloads }: BatchFacts): void {
  const known = memory.get(cluster);
  if (known?.run !== run || id === undefined || state === "failed" || known.carried?.id === id) return;
  memory.set(cluster, { ...known, carried: { id, workloads: workloads.filter((key) => known.workloads.has(key)) } });
}

/** Notes what became of a cluster's batch between two reconciles of the planner. */
export function noteBatch(
  memory: BrokenMemory,
  cluster: string,
  before: BatchFacts | undefined,
  now: BatchFacts | undefined,
  elapsed: number,
): void {
  const known = memory.get(cluster);
  const ended = known === undefined ? undefined : findEnded(known, before, now);
  if (known !== undefined && ended !== undefined) noteEnded(memory, cluster, known, ended);
  if (now === undefined) return;
  if (isNewlyBroken(known, before, now)) noteBroken(memory, cluster, now, elapsed);
  else noteCarried(memory, cluster, now);
}

/** As a decision looks at it. */
export function readBroken(memory: BrokenMemory, cluster: string, moment: Moment): { readonly broken?: BrokenBatches } {
  const known = memory.get(cluster);
  if (known === undefined) return {};
  const { run, times, reason, workloads, dueAt } = known;
  const until = dueAt > moment.elapsed ? toNowTime(dueAt, moment) : moment.now;
  return { broken: { run, times, reason, workloads, until } };
}
