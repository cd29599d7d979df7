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
  // A finished job must make room for the next; a failed one must stay visible.
  removeOnComplete: true,
  removeOnFail: false,
  attempts: 1,
} as const;

/** Whether the job's key exists but no list contains it: it would never run, and would block its id for ever. */
async function isStray(queue: ClusterQueue, found: Found): Promise<boolean> {
  const state = await found.getState();
  if (state !== "unknown" && state !== "completed") return false;
  // It may have finished between the two reads, with the next job in its place.
  const still = await queue.getJob(jobId);
  return still !== undefined && readNonce(still.data) === readNonce(found.data);
}

async function put(queue: ClusterQueue, job: unknown): Promise<"added" | "present"> {
  const nonce = randomUUID();
  for (let isLastTry = false; ; isLastTry = true) {
    await queue.add(jobId, { nonce, job }, jobOptions);
    const present = await queue.getJob(jobId);
    // Absent: a worker took it and finished it already.
    if (present === undefined || readNonce(present.data) === nonce) return "added";
    if (isLastTry || !(await isStray(queue, present))) return "present";
    await queue.remove(jobId);
  }
}

/** BullMQ's states in our words; a job in one of the last two is not available to any worker. */
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
  // It may have failed after it was read.
  const failed = found.failedReason === undefined ? await queue.getJob(jobId) : found;
  return { job, state, reason: failed?.failedReason ?? "no reason given" };
}

async function drop(queue: ClusterQueue): Promise<boolean> {
  const found = await queue.getJob(jobId);
  if (found === undefined) return true;
  // BullMQ would remove an active one whose worker lost the lock.
  if ((await found.getState()) === "active") return false;
  return (await queue.remove(jobId)) === 1;
}

export interface QueueOptions {
  /** The installation of the queues; others on the same server are neither read nor written. */
  readonly installation: string;
  readonly url: string;
  /** CA and client certificate; turns TLS on. */
  readonly tls?: TlsMaterial | undefined;
}

/** Hands out batches by BullMQ. Connects at once but never waits for the connection. */
export function openQueue<Job>({ installation, url, tls }: QueueOptions): BatchQueue<Job> {
  const connection = connectProducer(url, tls);
  const queues = new Map<string, ClusterQueue>();

  function getQueue(name: string): ClusterQueue {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue: ClusterQueue = new Queue(name, {
      connection: connection.redis,
      // Nothing reads BullMQ's event stream.
      streams: { events: { maxLen: 100 } },
      skipVersionCheck: true,
    });
    // The connection reports the same faults.
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
        // A queue that failed to open stays broken.
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
      // BullMQ does not close a connection that was passed to it.
      connection.close();
    },
  };
}
