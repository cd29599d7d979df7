import type { TlsMaterial } from "#libs/runtime";
import { Redis } from "ioredis";

import { askTls } from "./ask-tls.ts";
import { QueueUnavailable, readMessage } from "../errors.ts";
import { describeAddress } from "../names.ts";
import { nameQueueTrouble } from "../troubles.ts";

/** A Redis server's report about itself. */
export interface QueueProbe {
  readonly version: string;
  /** Any value but `noeviction` deletes jobs when memory is short. */
  readonly evictionPolicy: string;
  /** Without it, jobs are lost when Redis restarts. */
  readonly isAppendOnly: boolean;
  /** It uses more memory than its limit, and refuses nearly all writes. */
  readonly isFull: boolean;
}

/** By Redis' own calculation, without its buffers. A limit of 0 is none. */
function isAboveLimit(read: (key: string) => string | undefined): boolean {
  const [limit, used, own] = ["maxmemory", "used_memory", "mem_not_counted_for_evict"].map((key) => Number(read(key)));
  if (limit === undefined || used === undefined || !(limit > 0)) return false;
  return used - (own !== undefined && own > 0 ? own : 0) > limit;
}

/** Reads from a server without changing anything. Throws `QueueUnavailable`. */
export async function probeQueue(url: string, tls?: TlsMaterial): Promise<QueueProbe> {
  const redis = new Redis(url, {
    ...askTls(tls),
    lazyConnect: true,
    connectTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let fault: Error | undefined;
  // The first error is the cause, the others follow from it.
  redis.on("error", (error: Error) => (fault ??= error));
  try {
    await redis.connect();
    const info = await redis.info();
    const read = (key: string) => new RegExp(`^${key}:(.*?)\r?$`, "m").exec(info)?.[1];
    return {
      version: read("redis_version") ?? "unknown",
      evictionPolicy: read("maxmemory_policy") ?? "unknown",
      isAppendOnly: read("aof_enabled") === "1",
      isFull: isAboveLimit(read),
    };
  } catch (error) {
    const first = fault ?? error;
    const message = `Redis at ${describeAddress(url)} does not answer: ${readMessage(first)}`;
    throw new QueueUnavailable(message, { cause: error, code: nameQueueTrouble(first) });
  } finally {
    redis.disconnect();
  }
}
