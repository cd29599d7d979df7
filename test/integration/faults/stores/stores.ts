import { ok, rejects } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { connect } from "@nats-io/transport-node";
import { Redis } from "ioredis";

import { probePort } from "../../../../scripts/brokers/programs/probe-port.ts";
import { type Fault, inTheMiddle, type PassTools } from "../passes/fault.ts";
import { wipeBroker } from "../passes/lane.ts";
import { drawBetween } from "../passes/random.ts";

async function flushRedis({ lane }: PassTools): Promise<void> {
  const { port, username, password } = new URL(lane.redis.url);
  // Both commands are answered, in their order; this is the second answer.
  const probe = { send: `AUTH ${username} ${password}\r\nFLUSHALL\r\n`, answer: "+OK\r\n+OK" };
  if (!(await probePort(Number(port), probe))) throw new Error("Redis refused FLUSHALL");
}

/** Stops the broker until the cause is named and a while longer, then starts it again with its data. */
async function bounce({ lane, random }: PassTools, which: "redis" | "nats", named: () => Promise<void>): Promise<void> {
  await lane[which].kill();
  await named();
  await sleep(drawBetween(random, 0, 4) * 1000);
  await lane[which].start();
}

/** Without the bus `status` knows nothing of the planner, and says so. */
async function saysUnavailable({ fleet }: PassTools): Promise<void> {
  await rejects(fleet.meshroll("status"), { code: 69 }, "meshroll status ends with 69");
}

async function wipeBoth({ lane }: PassTools): Promise<void> {
  await Promise.all([wipeBroker(lane.redis), wipeBroker(lane.nats)]);
}

/** How many calls a full Redis has refused. */
async function countRefused(redis: Redis): Promise<number> {
  const counts = [...(await redis.info("errorstats")).matchAll(/^errorstat_OOM:count=(\d+)/gm)].map((match) =>
    Number(match[1]),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Refused calls per second, at most: planner and executor try each second, lock and worker a little more often. */
const mostRefused = 20;

/** A refused call must not be repeated in a tight loop. */
async function refusesNoFlood(redis: Redis): Promise<void> {
  const before = await countRefused(redis);
  const seconds = 3;
  await sleep(seconds * 1000);
  const refused = ((await countRefused(redis)) - before) / seconds;
  ok(refused <= mostRefused, `${refused} calls a second are refused by a full Redis`);
}

/** Redis refuses writes by its memory limit until status names that; then it gets room again. */
async function fillRedis({ lane, untilNamed }: PassTools): Promise<void> {
  const redis = new Redis(lane.redis.url);
  try {
    await redis.config("SET", "maxmemory", "1");
    await untilNamed("QueueFull");
    await refusesNoFlood(redis);
  } finally {
    await redis.config("SET", "maxmemory", "0");
    redis.disconnect();
  }
}

/** The stream's store is full until the planner's log says so; then the messages are deleted. */
async function fillNats({ lane, fleet }: PassTools): Promise<void> {
  const { host, username: user, password: pass } = new URL(lane.nats.url);
  const nc = await connect({ servers: host, user, pass, inboxPrefix: `_INBOX_${user}` });
  try {
    const large = "x".repeat(1 << 19);
    const take = async (): Promise<string> => (await nc.request("meshroll.testmeshroll.v1.filler", large)).string();
    while (!(await take()).includes('"error"'));
    // Fills what is left of the last half MiB.
    const small = "x".repeat(1 << 10);
    while (!(await nc.request("meshroll.testmeshroll.v1.filler", small)).string().includes('"error"'));
    const log = join(fleet.folder, "planner.log");
    await fleet.until(
      "the planner names a full NATS",
      () => readFileSync(log, "utf8").includes("BusFull: NATS at"),
      60_000,
    );
  } finally {
    await nc.request("$JS.API.STREAM.PURGE.MESHROLL-testmeshroll", "");
    await nc.close();
  }
}

/** Faults of Redis and NATS. */
export const storeFaults: readonly Fault[] = [
  {
    name: "kill-redis",
    shows: "Redis is killed by -9 and returns: nothing new starts meanwhile, then it goes on by itself",
    play: inTheMiddle("withBad", async (tools) => bounce(tools, "redis", async () => tools.untilNamed("QueueDown"))),
  },
  {
    name: "flush-redis",
    shows: "FLUSHALL in the middle of a batch: the batch is handed out again, no workload is restarted twice",
    play: inTheMiddle("withBad", flushRedis),
  },
  {
    name: "fill-redis",
    shows: "Redis has no memory left in the middle of a batch: status names it, and all goes on once there is room",
    play: inTheMiddle("withBad", fillRedis),
  },
  {
    name: "fill-nats",
    shows: "NATS has no room for one more message: the log names it, and all goes on once there is room",
    play: inTheMiddle("withBad", fillNats),
  },
  {
    name: "kill-nats",
    shows: "NATS is killed by -9 and returns: what is in flight is watched to its end, then it goes on by itself",
    play: inTheMiddle("withBad", async (tools) => bounce(tools, "nats", async () => saysUnavailable(tools))),
  },
  {
    name: "wipe-both",
    shows: "Redis and NATS lose everything in the middle of a batch: the run ends as it does without a fault",
    play: inTheMiddle("withBad", wipeBoth),
  },
  {
    name: "lose-everything",
    // The lock of the killed process, and the start of both.
    recovery: 8,
    shows: "all processes are killed and both stores wiped: the run continues from git and the clusters",
    play: inTheMiddle("withBad", async (tools) => {
      const { fleet } = tools;
      await Promise.all([fleet.kill("planner"), fleet.kill("executor"), wipeBoth(tools)]);
      fleet.startService("executor");
      fleet.startService("planner");
    }),
  },
];
