import { type FollowOptions, followQueueServer } from "#libs/queue";
import { systemClock } from "#libs/runtime";
import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";

import { useOwnBroker } from "./own-broker.ts";

const server = useOwnBroker("redis");

/** The complaints that a process gets about this Redis when it starts now. */
async function listComplaints(): Promise<readonly (readonly string[])[]> {
  const complaints: (readonly string[])[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const onProblems: FollowOptions["onProblems"] = (problems) => void complaints.push(problems.map(({ code }) => code));
  const options = { url: server().url, variable: "MESHROLL_REDIS_URL", clock: systemClock(), onProblems };
  await followQueueServer(options, stop.signal);
  return complaints;
}

it("a real Redis is judged by what it reports about itself", async () => {
  const redis = new Redis(server().url);
  onTestFinished(() => redis.disconnect());
  expect(await listComplaints()).toEqual([]);
  await redis.config("SET", "maxmemory-policy", "allkeys-lru");
  expect(await listComplaints()).toEqual([["QueueEvicts"]]);
  await redis.config("SET", "appendonly", "no");
  expect(await listComplaints()).toEqual([["QueueEvicts", "QueueForgets"]]);
  await redis.config("SET", "maxmemory", "1");
  expect(await listComplaints()).toEqual([["QueueFull", "QueueEvicts", "QueueForgets"]]);
  await redis.config("SET", "maxmemory", "0");
  await redis.config("SET", "maxmemory-policy", "noeviction");
  await redis.config("SET", "appendonly", "yes");
  expect(await listComplaints()).toEqual([]);
});
