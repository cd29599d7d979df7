import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

import { Redis } from "ioredis";

import { type Fault, inTheMiddle, type Stage } from "../passes/fault.ts";
import { drawBetween } from "../passes/random.ts";

/** The newest file of what Redis appends to. */
async function findAppendFile({ lane }: Stage): Promise<string> {
  const redis = new Redis(lane.redis.url);
  try {
    const [, dir = ""] = (await redis.config("GET", "dir")) as string[];
    const [, folder = ""] = (await redis.config("GET", "appenddirname")) as string[];
    const files = readdirSync(join(dir, folder)).filter((name) => name.endsWith(".incr.aof"));
    const newest = files.toSorted((a, b) => a.localeCompare(b)).at(-1);
    if (newest === undefined) throw new Error(`no append-only file in ${join(dir, folder)}: ${files.join(", ")}`);
    return join(dir, folder, newest);
  } finally {
    redis.disconnect();
  }
}

/** A power cut: what was written last is not on the disk, and the last record is cut at some byte. */
async function tearAppendFile(stage: Stage): Promise<void> {
  const file = await findAppendFile(stage);
  await stage.lane.redis.kill();
  await stage.untilNamed("QueueDown");
  const { size } = statSync(file);
  truncateSync(file, Math.max(0, size - drawBetween(stage.random, 1, Math.min(size, 4000))));
  await stage.lane.redis.start();
}

/** A job whose key is left while no list has it: by its id it is there, and no worker is ever given it. */
async function leaveStrayJob({ lane, fleet }: Stage): Promise<void> {
  const redis = new Redis(lane.redis.url);
  try {
    await redis.flushall();
    await redis.hset(`bull:meshroll-${fleet.cluster}:batch`, { name: "batch", data: "{}", opts: "{}", timestamp: "1" });
  } finally {
    redis.disconnect();
  }
}

/** What a crash may leave behind in Redis (reliability R3, R7). */
export const tornStoreFaults: readonly Fault[] = [
  {
    name: "torn-aof",
    shows:
      "Redis loses the end of its append-only file in a power cut: what it lost is handed out again, no workload moves twice",
    play: inTheMiddle("withBad", tearAppendFile),
  },
  {
    name: "stray-job",
    shows: "a job's key is left in Redis and no list has it: it is removed, and the batch is handed out",
    play: inTheMiddle("withBad", leaveStrayJob),
  },
];
