import type { TlsMaterial } from "#libs/runtime";
import { Redis, type RedisOptions } from "ioredis";

import { askTls } from "../server/ask-tls.ts";

/** The two connections of a worker: BullMQ makes the second, which waits for jobs, as a duplicate of the first. */
export interface WorkerConnections {
  readonly redis: Redis;
  areReady(): boolean;
  /** At once and without a word to the server; nothing keeps the process afterwards. */
  disconnect(): void;
}

/** Opens them; they return by themselves, within two seconds after Redis is. */
export function connectWorker(
  url: string,
  tls: TlsMaterial | undefined,
  onFault: (fault: string) => void,
): WorkerConnections {
  const all: Redis[] = [];

  /** We keep hold of both, because BullMQ's own way to close waits for ever for one that is just being made again. */
  class Kept extends Redis {
    override duplicate(options?: Partial<RedisOptions>): Redis {
      return keep(super.duplicate(options));
    }
  }

  function keep<R extends Redis>(redis: R): R {
    all.push(redis);
    redis.on("error", (error: Error) => onFault(error.message));
    return redis;
  }

  const redis = keep(
    new Kept(url, {
      ...askTls(tls),
      maxRetriesPerRequest: null,
      // BullMQ's own goes up to 20 s, in which nothing would move though Redis is back.
      retryStrategy: (times) => Math.min(times * 200, 2_000),
    }),
  );
  return {
    redis,
    areReady: () => all.every(({ status }) => status === "ready"),
    disconnect() {
      for (const each of all) each.disconnect();
    },
  };
}
