import { randomUUID } from "node:crypto";

import type { TlsMaterial } from "#libs/runtime";
import { type Job as BullJob, Queue } from "bullmq";

import { jobId, nameQueue } from "../names.ts";
import type { BatchQueue, OpenBatch } from "../port.ts";
import { connectProducer } from "./producer-connection.ts";
import { readNonce, readStored, type StoredJob } from "./stored-job.ts";

type ClusterQueue = Queue<StoredJob<unknown>, unknown, string>;
type Found = BullJob<StoredJob<unknown>, unknown, string>;

const jobOptions = {
  jobId,
  // One that is done must make room for the next, one that failed must be seen.
  removeOnComplete: true,
  removeOnFail: false,
  attempts: 1,
} as const;

/** A job whose key is there but that stands in no list runs never and blocks its id for ever. */
async function isStray(queue: ClusterQueue, found: Found): Promise<boolean> {
  const state = await found.getState();
  if (state !== "unknown" && state !== "completed") return false;
  // Between the two reads it may have been done, and its place taken by the next.
  const still = await queue.getJob(jobId);
  return still !== undefined && readNonce(still.data) === readNonce(found.data);
}

async function put(queue: ClusterQueue, job: unknown): Promise<"added" | "present"> {
  const nonce = randomUUID();
  for (let isLastTry = false; ; isLastTry = true) {
    await queue.add(jobId, { nonce, job }, jobOptions);
    const present = await queue.getJob(jobId);
    // Not there: it was taken and is done already.
    if (present === undefined || readNonce(present.data) === nonce) return "added";
    if (isLastTry || !(await isStray(queue, present))) return "present";
    await queue.remove(jobId);
  }
}

/** BullMQ's states in our words; a job in one of the last two is not there for any worker. */
const states = {
  waiting: "waiting",
  delayed: "waiting",
  prioritized: "waiting",
  "waiting-children": "waiting",
  active: "active",
  failed: "failed",
  completed: undefined,
  unknown: undefined,
} as const;

async function inspect<Job>(queue: ClusterQueue): Promise<OpenBatch<Job> | undefined> {
  const found = await queue.getJob(jobId);
  if (found === undefined) return undefined;
  const state = states[await found.getState()];
  if (state === undefined) return undefined;
  const job = readStored<Job>(found.data);
  if (state !== "failed") return { job, state };
  // It may have failed since it was read.
  const failed = found.failedReason === undefined ? await queue.getJob(jobId) : found;
  return { job, state, reason: failed?.failedReason ?? "no reason given" };
}

async function drop(queue: ClusterQueue): Promise<boolean> {
  const found = await queue.getJob(jobId);
  if (found === undefined) return true;
  // BullMQ itself would remove an active one whose worker has lost the lock.
  if ((await found.getState()) === "active") return false;
  return (await queue.remove(jobId)) === 1;
}

export interface QueueOptions {
  /** Whose queues: those of another installation on the same server are neither seen nor written. */
  readonly installation: string;
  readonly url: string;
  /** Whom to trust, and who we are; asks for TLS. */
  readonly tls?: TlsMaterial | undefined;
}

/** Hands out batches over BullMQ. Opens its connection at once and never waits for it. */
export function openQueue<Job>({ installation, url, tls }: QueueOptions): BatchQueue<Job> {
  const connection = connectProducer(url, tls);
  const queues = new Map<string, ClusterQueue>();

  function getQueue(name: string): ClusterQueue {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue: ClusterQueue = new Queue(name, {
      connection: connection.redis,
      // They are not read.
      streams: { events: { maxLen: 100 } },
      skipVersionCheck: true,
    });
    // The connection's faults, once more.
    queue.on("error", () => undefined);
    queues.set(name, queue);
    return queue;
  }

  async function call<T>(what: string, cluster: string, use: (queue: ClusterQueue) => Promise<T>): Promise<T> {
    const name = nameQueue(installation, cluster);
    return connection.call(`${what} ${cluster}`, async () => {
      try {
        return await use(getQueue(name));
      } catch (error) {
        // One that failed while it was opened stays broken.
        queues.delete(name);
        throw error;
      }
    });
  }

  return {
    put: async (cluster, job) => call("take a batch for", cluster, async (queue) => put(queue, job)),
    inspect: async (cluster) => call("show the batch of", cluster, async (queue) => inspect<Job>(queue)),
    drop: async (cluster) => call("remove the batch of", cluster, drop),
    async close() {
      await Promise.allSettled([...queues.values()].map(async (queue) => queue.close()));
      // BullMQ leaves open what it was given.
      connection.close();
    },
  };
}
