import { setTimeout as sleep } from "node:timers/promises";

import { sayHello } from "../../../scripts/brokers/say-hello.ts";
import { type Fault, inTheMiddle, type Stage } from "./fault.ts";
import { wipeBroker } from "./lane.ts";
import { drawBetween } from "./random.ts";

async function flushRedis({ lane }: Stage): Promise<void> {
  const { port, username, password } = new URL(lane.redis.url);
  // The answer of the second: both are answered, in their order.
  const greeting = { say: `AUTH ${username} ${password}\r\nFLUSHALL\r\n`, hear: "+OK\r\n+OK" };
  if (!(await sayHello(Number(port), greeting))) throw new Error("Redis refused FLUSHALL");
}

/** Down for a while, and back with what was written to its disk. */
async function bounce({ lane, random }: Stage, which: "redis" | "nats"): Promise<void> {
  await lane[which].kill();
  await sleep(drawBetween(random, 0, 4) * 1000);
  await lane[which].start();
}

async function wipeBoth({ lane }: Stage): Promise<void> {
  await Promise.all([wipeBroker(lane.redis), wipeBroker(lane.nats)]);
}

/** Faults of Redis and NATS. */
export const storeFaults: readonly Fault[] = [
  {
    name: "kill-redis",
    shows: "Redis is killed by -9 and comes back: nothing new starts meanwhile, then it goes on by itself",
    play: inTheMiddle("withBad", async (stage) => bounce(stage, "redis")),
  },
  {
    name: "flush-redis",
    shows: "FLUSHALL in the middle of a batch: the batch is handed out again, nobody is restarted twice",
    play: inTheMiddle("withBad", flushRedis),
  },
  {
    name: "kill-nats",
    shows: "NATS is killed by -9 and comes back: what is in flight is watched to its end, then it goes on by itself",
    play: inTheMiddle("withBad", async (stage) => bounce(stage, "nats")),
  },
  {
    name: "wipe-nats",
    shows: "NATS loses its store: buckets and stream are made anew and filled from git and the clusters",
    play: inTheMiddle("withBad", async ({ lane }) => wipeBroker(lane.nats)),
  },
  {
    name: "wipe-both",
    shows: "Redis and NATS lose everything in the middle of a batch: the run ends as if nothing had been",
    inTests: true,
    play: inTheMiddle("withBad", wipeBoth),
  },
  {
    name: "lose-everything",
    shows: "all processes are killed and both stores wiped: git and the clusters are enough to go on",
    play: inTheMiddle("withBad", async (stage) => {
      const { fleet } = stage;
      await Promise.all([fleet.kill("planner"), fleet.kill("executor"), wipeBoth(stage)]);
      fleet.startService("executor");
      fleet.startService("planner");
    }),
  },
];
