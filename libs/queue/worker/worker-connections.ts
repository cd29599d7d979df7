import type { TlsMaterial } from "#libs/runtime";
import { Redis, type RedisOptions } from "ioredis";

import { askTls } from "../server/ask-tls.ts";

/** The two connections of a worker: BullMQ makes the second, which waits for jobs, by duplicating the first. */
export interface WorkerConnections {
  readonly redis: Redis;
  areReady(): boolean;
  /** At once, without a message to the server; the connections do not keep the process alive. */
  disconnect(): void;
}

/** Opens both. After an outage they reconnect within two seconds. */
export function connectWorker(
  url: string,
  tls: TlsMaterial | undefined,
  onFault: (fault: string) => void,
): WorkerConnections {
  const all: Redis[] = [];

  /** Registers both connections, because BullMQ's own close waits for ever for one that is still connecting. */
  class RegisteredRedis extends Redis {
    override duplicate(options?: Partial<RedisOptions>): Redis {
      return register(super.duplicate(options));
    }
  }

  function register<R extends Redis>(redis: R): R {
    all.push(redis);
    redis.on("error", (error: Error) => onFault(error.message));
    return redis;
  }

  const redis = register(
    new RegisteredRedis(url, {
      ...askTls(tls),
      maxRetriesPerRequest: null,
      // BullMQ's own delay grows to 20 s, in which nothing would move although Redis is back.
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
