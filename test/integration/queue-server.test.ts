import { followQueueServer } from "#libs/queue";
import { systemClock } from "#libs/runtime";
import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";

import { useOwnBroker } from "./own-broker.ts";

const server = useOwnBroker("redis");
const names = (problems: readonly string[]) => problems.map((each) => each.split(":")[0]);

/** What a process is told of this Redis when it starts now. */
async function lookAtStart(): Promise<readonly (readonly (string | undefined)[])[]> {
  const told: (readonly (string | undefined)[])[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const onProblems = (problems: readonly string[]): void => void told.push(names(problems));
  const options = { url: server().url, variable: "MESHROLL_REDIS_URL", clock: systemClock(), onProblems };
  await followQueueServer(options, stop.signal);
  return told;
}

it("a real Redis is judged by what it says of itself", async () => {
  const redis = new Redis(server().url);
  onTestFinished(() => redis.disconnect());
  expect(await lookAtStart()).toEqual([]);
  await redis.config("SET", "maxmemory-policy", "allkeys-lru");
  expect(await lookAtStart()).toEqual([["QueueEvicts"]]);
  await redis.config("SET", "appendonly", "no");
  expect(await lookAtStart()).toEqual([["QueueEvicts", "QueueForgets"]]);
  await redis.config("SET", "maxmemory-policy", "noeviction");
  await redis.config("SET", "appendonly", "yes");
  expect(await lookAtStart()).toEqual([]);
});
