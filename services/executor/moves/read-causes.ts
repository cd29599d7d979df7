import { type FailureCause, findCause, type WorkloadRef } from "#libs/fleet";
import type { Cluster } from "#libs/kube";
import { nameWorkload } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

/** No read begins later than this in one reconcile, real ms: what is left of it is for writes, with their causes or without. */
const beginsWithinMs = 2_000;
/** No read is waited for longer. What it says then is there for the next reconcile. */
const endsWithinMs = 3_500;
/** Reads at once. */
const atOnce = 4;

export interface CauseReading {
  readonly cluster: Pick<Cluster, "readRollout">;
  readonly clock: Pick<Clock, "monotonic" | "sleepReal">;
  readonly log: Pick<Logger, "warn" | "error">;
}

/** By the name of the workload. */
export type KnownCauses = ReadonlyMap<string, FailureCause>;

async function readOne({ cluster, log }: CauseReading, workload: WorkloadRef): Promise<FailureCause | undefined> {
  const key = nameWorkload(workload);
  try {
    const answer = await cluster.readRollout(workload);
    if (answer.kind === "read") return findCause(answer.rollout);
    log.warn({ workload: key, why: answer.why }, "why it failed could not be read");
  } catch (error) {
    log.error({ error, workload: key }, "why it failed could not be read");
  }
  return undefined;
}

/**
 * What the pods of these failures say now: the undo takes them away. It is worth more than its cause, so reads get a part of the reconcile
 * only, and a failure whose cause was not read by then has none. What an earlier reconcile has read is not read again.
 */
export async function readCauses(
  reading: CauseReading,
  failed: readonly WorkloadRef[],
  known: KnownCauses,
): Promise<KnownCauses> {
  const { clock, log } = reading;
  const keys = new Set(failed.map(nameWorkload));
  const causes = new Map([...known].filter(([key]) => keys.has(key)));
  const unread = failed.filter((each) => !causes.has(nameWorkload(each)));
  if (unread.length === 0) return causes;
  const started = clock.monotonic();
  let done = 0;
  const readNext = async (): Promise<void> => {
    const next = clock.monotonic() - started < beginsWithinMs ? unread.shift() : undefined;
    if (next === undefined) return;
    const cause = await readOne(reading, next);
    if (cause !== undefined) causes.set(nameWorkload(next), cause);
    done += 1;
    return readNext();
  };
  const wanted = unread.length;
  const enough = new AbortController();
  const all = Promise.all(Array.from({ length: atOnce }, readNext));
  await Promise.race([all, clock.sleepReal(endsWithinMs, enough.signal)]);
  enough.abort();
  if (done < wanted)
    log.warn({ failures: wanted - done }, "why they failed was not read in time: undos do not wait for it");
  return causes;
}
