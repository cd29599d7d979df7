import { BusUnavailable, type KeyValue } from "#libs/bus";
import { type BrokenBatchesKept, nameBrokenKey, printBrokenBatches, readBrokenBatches } from "#libs/events";
import type { BatchFacts } from "#libs/plan";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import { type BrokenMemory, type BrokenRecord, choosePauseMs } from "./broken-batches.ts";
import type { Moment } from "../loop/to-now-time.ts";

/** Written at least so often though nothing changed, real ms: a wiped bus has it again soon. */
const writeEveryMs = 10_000;

/**
 * So often in a row another planner is believed that a batch broke which this one saw leave: who writes false records cannot hold a
 * rollback for longer by it, and a planner that sees some of them break itself goes on to hear of the others.
 */
const mostBelieved = 3;

/** Keeps on the bus what broke in each cluster: KV `status`, key `broken.<cluster>`. */
export interface BrokenStore {
  /**
   * Takes over what another planner noted of a cluster: at the first look at it, and when a batch left its queue, which that
   * planner may have counted as broken. Throws what the bus throws, and is queried again by the next reconcile.
   */
  recall(cluster: string, before: BatchFacts | undefined, now: BatchFacts | undefined): Promise<void>;
  /** Writes what changed. Throws what the bus throws, and is queried again by the next reconcile. */
  save(): Promise<void>;
}

export interface BrokenStoreParts {
  readonly memory: BrokenMemory;
  readonly bucket: KeyValue;
  readonly clock: Pick<Clock, "now" | "elapsed" | "monotonic">;
  readonly log: Logger;
}

function toKept({ dueAt, workloads, ...rest }: BrokenRecord, { now, elapsed }: Moment): BrokenBatchesKept {
  return { ...rest, workloads: [...workloads], until: new Date(now + dueAt - elapsed).toISOString() };
}

/** A clock that was set back between two planners makes no pause longer than it is after so many batches. */
function toRecord(kept: BrokenBatchesKept, { now, elapsed }: Moment): BrokenRecord {
  const { until, workloads, ...rest } = kept;
  const leftMs = Math.min(choosePauseMs(kept.times), Math.max(0, Date.parse(until) - now));
  return { ...rest, workloads: new Set(workloads), dueAt: elapsed + leftMs };
}

/** A batch that this planner saw in the queue, not as a broken one, and that is there no more. */
function findLeft(before: BatchFacts | undefined, now: BatchFacts | undefined): BatchFacts | undefined {
  return before?.id === undefined || before.state === "failed" || before.id === now?.id ? undefined : before;
}

/** Noted by another planner, which saw the batch break that left. */
function isOfOther(kept: BrokenRecord, known: BrokenRecord | undefined, left: BatchFacts | undefined): boolean {
  return left !== undefined && kept.last === left.id && kept.run === left.run && known?.last !== left.id;
}

/** What another planner was believed last of a cluster's run, and how often in a row. */
interface Belief {
  readonly last: string | undefined;
  readonly times: number;
}

export function createBrokenStore({ memory, bucket, clock, log }: BrokenStoreParts): BrokenStore {
  const recalled = new Set<string>();
  /** By cluster and run. */
  const beliefs = new Map<string, Belief>();
  let saving: Promise<void> | undefined;
  const saved = new Map<string, { readonly record: BrokenRecord; readonly at: number }>();
  const readMoment = (): Moment => ({ now: clock.now(), elapsed: clock.elapsed() });

  function needsSaving(cluster: string, record: BrokenRecord): boolean {
    const last = saved.get(cluster);
    return last?.record !== record || clock.monotonic() - last.at >= writeEveryMs;
  }

  async function read(cluster: string): Promise<BrokenRecord | undefined> {
    const text = (await bucket.get(nameBrokenKey(cluster)))?.value;
    const kept = text === undefined ? undefined : readBrokenBatches(text);
    if (text !== undefined && kept === undefined)
      log.warn({ cluster }, "what is kept of its broken batches is not ours");
    return kept === undefined ? undefined : toRecord(kept, readMoment());
  }

  /** A batch that this planner saw break begins the count again. */
  function isBelieved(cluster: string, { run, last }: BrokenRecord): boolean {
    const key = `${cluster} ${run}`;
    const before = beliefs.get(key);
    const own = memory.get(cluster)?.last;
    const times = own !== undefined && own !== before?.last ? 1 : (before?.times ?? 0) + 1;
    if (times === mostBelieved + 1)
      log.warn(
        { cluster, run },
        "another planner says of each batch that it broke, which this one never sees: it is not heard",
      );
    beliefs.set(key, { last: times > mostBelieved ? before?.last : last, times });
    return times <= mostBelieved;
  }

  async function saveAll(): Promise<void> {
    const saveOne = async (cluster: string): Promise<void> => {
      const record = memory.get(cluster);
      if (record === undefined) {
        await bucket.delete(nameBrokenKey(cluster));
        saved.delete(cluster);
      } else if (needsSaving(cluster, record)) {
        await bucket.put(nameBrokenKey(cluster), printBrokenBatches(toKept(record, readMoment())));
        saved.set(cluster, { record, at: clock.monotonic() });
      }
    };
    await doEach(new Set([...memory.keys(), ...saved.keys()]), saveOne, {
      onFault: (cluster, error) => log.warn({ error, cluster }, "the bus keeps no record of what broke in a cluster"),
      isDown: (error) => error instanceof BusUnavailable,
    });
  }

  return {
    async recall(cluster, before, now) {
      const isFirst = !recalled.has(cluster);
      const left = findLeft(before, now);
      if (!isFirst && left === undefined) return;
      const kept = await read(cluster);
      recalled.add(cluster);
      // It is written again at once: where the clock was set back, each life of a planner brings the end nearer.
      if (kept === undefined) return;
      const known = memory.get(cluster);
      const isBefore = isFirst && known === undefined;
      if (isBefore || (isOfOther(kept, known, left) && isBelieved(cluster, kept))) memory.set(cluster, kept);
    },
    async save() {
      saving ??= saveAll().finally(() => (saving = undefined));
      return saving;
    },
  };
}
