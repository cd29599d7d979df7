import { Redis } from "ioredis";

import { QueueUnavailable, readMessage } from "./errors.ts";
import { describeAddress } from "./names.ts";

/** What a Redis says of itself. */
export interface QueueProbe {
  readonly version: string;
  /** Anything but `noeviction` throws jobs away when memory is short. */
  readonly evictionPolicy: string;
  /** Without it, jobs are lost with the process. */
  readonly isAppendOnly: boolean;
}

/** Looks at a server without changing anything. Throws `QueueUnavailable`. */
export async function probeQueue(url: string): Promise<QueueProbe> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let fault: Error | undefined;
  redis.on("error", (error: Error) => (fault = error));
  try {
    await redis.connect();
    const info = await redis.info();
    const read = (key: string) => new RegExp(`^${key}:(.*?)\r?$`, "m").exec(info)?.[1];
    return {
      version: read("redis_version") ?? "unknown",
      evictionPolicy: read("maxmemory_policy") ?? "unknown",
      isAppendOnly: read("aof_enabled") === "1",
    };
  } catch (error) {
    const why = readMessage(fault ?? error);
    throw new QueueUnavailable(`Redis at ${describeAddress(url)} does not answer: ${why}`, { cause: error });
  } finally {
    redis.disconnect();
  }
}
