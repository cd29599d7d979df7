import type { Bench, TestJob } from "#conformance/queue";
import { testInstallation } from "#libs/input";
import { type HeldBatch, openQueue, serveBatches } from "#libs/queue";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";

import { useOwnBroker } from "./own-broker.ts";

const other = "othermeshrol";

export type AtEnd = (close: () => Promise<void> | void) => void;

/**
 * A Redis for one test file. Everything uses the logins of the services, which shows that their rights are enough for BullMQ.
 */
export function useRealQueue() {
  const server = useOwnBroker("redis", ["east", "west", "killed", "frozen", "closed"], other);
  const [planner, executor] = [() => server().urlOf("planner"), () => server().urlOf("executor")];

  /** Runs a check on the server without our own code. */
  async function withServer<T>(inspect: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(server().url);
    try {
      return await inspect(redis);
    } finally {
      redis.disconnect();
    }
  }

  const flush = async () => void (await withServer(async (redis) => redis.flushall()));

  async function makeFresh(): Promise<void> {
    await server().start();
    await flush();
  }

  async function limitMemory(bytes: string): Promise<void> {
    await withServer(async (redis) => redis.config("SET", "maxmemory", bytes));
  }

  async function makeBench(): Promise<Bench> {
    await makeFresh();
    return {
      open: () => openQueue<TestJob>({ installation: testInstallation, url: planner() }),
      openOther: () => openQueue<TestJob>({ installation: other, url: server().urlOf(`planner-of-${other}`) }),
      serve: serveBatches<TestJob>({ installation: testInstallation, url: executor() }),
      breakOff: async () => server().kill(),
      fix: async () => server().start(),
      fill: async () => limitMemory("1"),
      makeRoom: async () => limitMemory("0"),
      flush,
    };
  }

  function openFor(atEnd: AtEnd = onTestFinished) {
    const queue = openQueue<TestJob>({ installation: testInstallation, url: planner() });
    atEnd(async () => queue.close());
    return queue;
  }

  /** A worker in this process, whose batches wait for their signal. */
  function serveHere(cluster: string, atEnd: AtEnd = onTestFinished): readonly HeldBatch<TestJob>[] {
    const given: HeldBatch<TestJob>[] = [];
    const worker = serveBatches<TestJob>({ installation: testInstallation, url: executor() })(cluster, async (held) => {
      given.push(held);
      await new Promise((resolve) => held.signal.addEventListener("abort", resolve));
    });
    atEnd(async () => worker.close());
    return given;
  }

  return { server, executor, withServer, makeFresh, makeBench, openFor, serveHere };
}
