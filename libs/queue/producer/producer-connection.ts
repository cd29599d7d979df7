import { once } from "node:events";

import { systemClock, type TlsMaterial } from "#libs/runtime";
import { Redis } from "ioredis";

import { QueueUnavailable, readMessage } from "../errors.ts";
import { askTls } from "../server/ask-tls.ts";
import { describeAddress } from "../names.ts";
import { nameQueueTrouble } from "../troubles.ts";

const clock = systemClock();

/** Longest call, and longest wait for a connection that is being opened, real ms. */
const callLimitMs = 2_000;
const firstLimitMs = 1_000;

/** A connection for calls that must answer at once or fail. */
export interface ProducerConnection {
  readonly redis: Redis;
  /** Throws `QueueUnavailable` instead of waiting. */
  call<T>(what: string, use: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Settles as `work` does, or rejects after the time. */
async function limit<T>(work: Promise<T>, ms: number): Promise<T> {
  const done = new AbortController();
  const late = clock.sleepReal(ms, done.signal).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  try {
    return (await Promise.race([work, late])) as T;
  } finally {
    late.catch(() => undefined);
    // Its late result is not used, but must not become an unhandled rejection.
    work.catch(() => undefined);
    done.abort();
  }
}

/** Opens the connection. It reconnects by itself after an outage. */
export function connectProducer(url: string, tls: TlsMaterial | undefined): ProducerConnection {
  const redis = new Redis(url, {
    ...askTls(tls),
    // A batch must not wait here for Redis: it would be handed out long after it was decided.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: callLimitMs,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
  });
  // BullMQ adds one listener per queue.
  redis.setMaxListeners(0);
  let lastFault = "not connected yet";
  // Each call reports a missing connection itself; without a listener ioredis would print to the console.
  redis.on("error", (error: Error) => {
    // A refused login is reported in preference to errors that follow from it.
    if (nameQueueTrouble(new Error(lastFault)) === "QueueDown" || nameQueueTrouble(error) !== "QueueDown") {
      lastFault = error.message;
    }
  });
  redis.on("ready", () => void (lastFault = "not connected"));

  async function awaitReady(): Promise<void> {
    if (redis.status === "connecting" || redis.status === "connect") await limit(once(redis, "ready"), firstLimitMs);
    if (redis.status !== "ready") throw new Error(lastFault);
  }

  return {
    redis,
    async call(what, use) {
      try {
        await awaitReady();
        return await limit(use(), callLimitMs);
      } catch (error) {
        const message = `Redis at ${describeAddress(url)} did not ${what}: ${readMessage(error)}`;
        throw new QueueUnavailable(message, { cause: error, code: nameQueueTrouble(error) });
      }
    },
    close: () => redis.disconnect(),
  };
}
