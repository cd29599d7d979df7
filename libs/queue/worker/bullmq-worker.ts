import { type Clock, systemClock, type TlsMaterial } from "#libs/runtime";
import { type Job as BullJob, WaitingError, Worker } from "bullmq";

import { readMessage } from "../errors.ts";
import { type Hold, holdLock, lockMs } from "./hold-lock.ts";
import { nameQueue } from "../names.ts";
import type { BatchWorker, HeldBatch, ServeBatches } from "../port.ts";
import { readStored, type StoredJob } from "../producer/stored-job.ts";
import { makeTrouble, nameQueueTrouble, printQueueTrouble } from "../troubles.ts";
import { connectWorker } from "./worker-connections.ts";

export interface WorkerOptions {
  /** The installation of the queues. */
  readonly installation: string;
  readonly url: string;
  /** CA and client certificate; turns TLS on. */
  readonly tls?: TlsMaterial | undefined;
  /** Called for faults from which BullMQ and Redis recover by themselves. */
  readonly onFault?: (fault: string) => void;
}

type Held = BullJob<StoredJob<unknown>, unknown, string>;

const stalledEveryMs = 2_000;
/** A job whose worker was killed must never count as failed. */
const neverTooOften = 1_000_000;
/** Real ms for the handler to end after its signal, and for Redis to take the job back. */
const endLimitMs = 5_000;
const giveBackLimitMs = 2_000;

/** A problem that a person must fix is named with the fix. */
function describeFault(error: Error): string {
  const code = nameQueueTrouble(error);
  return code === "QueueDown" ? error.message : printQueueTrouble(makeTrouble(code, error.message));
}

/** Resolves with `work`, or after the time. */
async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = clock.sleepReal(ms, done.signal).catch(() => undefined);
  await Promise.race([work.then(() => undefined), late]);
  done.abort();
}

/** Gives the job to other workers at once. If Redis does not take it, it is queued again when the lock expires. */
async function giveBack(job: Held, token: string, clock: Clock, tell: (fault: string) => void): Promise<never> {
  const back = job
    .moveToWait(token)
    .catch((error: unknown) => tell(`a batch could not be returned to the queue: ${readMessage(error)}`));
  await atMost(clock, giveBackLimitMs, back);
  // Tells BullMQ that the job is neither done nor failed.
  throw new WaitingError();
}

/** Takes batches by BullMQ, at most one at a time per cluster. */
export function serveBatches<Job>({
  installation,
  url,
  tls,
  onFault = () => undefined,
}: WorkerOptions): ServeBatches<Job> {
  const clock = systemClock();

  return (cluster: string, handle: (held: HeldBatch<Job>) => Promise<void>): BatchWorker => {
    const tell = (fault: string) => onFault(`queue of ${cluster}: ${fault}`);
    let hold: Hold | undefined;
    let isClosing = false;
    let carrying: Promise<void> = Promise.resolve();

    async function carryOut(job: Held, token = ""): Promise<void> {
      const own = await holdLock(async () => (await job.extendLock(token, lockMs)) === 1, clock);
      if (own === undefined || isClosing) return giveBack(job, token, clock, tell);
      hold = own;
      try {
        const isRetaken = job.attemptsStarted > 1;
        const { signal } = own;
        await handle({ job: readStored<Job>(job.data), isRetaken, signal, holdsLock: () => own.holdsLock() });
      } catch (error) {
        // After the signal, the handler's error is a consequence of it.
        if (!own.signal.aborted) throw error;
      } finally {
        own.end();
        hold = undefined;
      }
      // The handler was aborted, so the batch is not done.
      if (own.signal.aborted) await giveBack(job, token, clock, tell);
    }

    const connections = connectWorker(url, tls, tell);
    const take = async (job: Held, token?: string): Promise<void> => {
      const work = carryOut(job, token);
      carrying = work.catch(() => undefined);
      await work;
    };
    const worker = new Worker<StoredJob<unknown>, unknown, string>(nameQueue(installation, cluster), take, {
      connection: connections.redis,
      concurrency: 1,
      lockDuration: lockMs,
      // The lock is renewed here, because we must know when it was renewed last.
      skipLockRenewal: true,
      stalledInterval: stalledEveryMs,
      maxStalledCount: neverTooOften,
      runRetryDelay: 1_000,
      skipVersionCheck: true,
    });
    worker.on("error", (error) => tell(describeFault(error)));
    worker.on("stalled", () => tell("a batch of a worker that is gone was queued again"));

    return {
      async close() {
        isClosing = true;
        // Else it would take the batch again that it gives back.
        await worker.pause(true);
        hold?.lose("the worker stops");
        await atMost(clock, endLimitMs, carrying);
        // Without a server the worker cannot close in order.
        await atMost(clock, endLimitMs, worker.close(!connections.areReady()));
        connections.disconnect();
      },
    };
  };
}
