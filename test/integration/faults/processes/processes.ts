import { strictEqual } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { type Fault, inTheMiddle, playNothing, type PassTools } from "../passes/fault.ts";
import { drawBetween } from "../passes/random.ts";

type Victim = "planner" | "executor";

async function killAndStart({ fleet }: PassTools, name: Victim): Promise<void> {
  await fleet.kill(name);
  fleet.startService(name);
}

/** The process ends in order within its 10 s; otherwise its exit code is 1. */
async function terminateAndStart({ fleet }: PassTools, name: Victim): Promise<void> {
  strictEqual(await fleet.terminate(name), 0, `the ${name} ends in order`);
  fleet.startService(name);
}

/** Longer than the lock of a batch (5 s), so that another executor may take it meanwhile. */
async function freezeForAWhile({ fleet, random }: PassTools, name: Victim): Promise<void> {
  const thaw = fleet.freeze(name);
  await sleep(drawBetween(random, 1, 8) * 1000);
  thaw();
}

/** A batch returns when the lock of the killed process (5 s) has expired and the next process has started. */
const lockEnds = 8;

/** Faults of our own processes. */
export const processFaults: readonly Fault[] = [
  {
    name: "nothing",
    shows: "without a fault every run ends like this: what the others are compared with",
    play: playNothing,
  },
  ...(["planner", "executor"] as const).map((name): Fault => {
    return {
      name: `kill-${name}`,
      recovery: lockEnds,
      ...(name === "executor" ? { inTests: true as const } : {}),
      shows: `kill -9 of the ${name} in the middle of a batch: nothing is restarted twice, nothing is lost`,
      play: inTheMiddle("withBad", async (tools) => killAndStart(tools, name)),
    };
  }),
  ...(["planner", "executor"] as const).map((name): Fault => {
    return {
      name: `terminate-${name}`,
      shows: `SIGTERM of the ${name} in the middle of a batch: it ends in order within 10 s, and the next one goes on`,
      play: inTheMiddle("withBad", async (tools) => terminateAndStart(tools, name)),
    };
  }),
  ...(["planner", "executor"] as const).map((name): Fault => {
    return {
      name: `freeze-${name}`,
      shows: `SIGSTOP of the ${name} in the middle of a batch, then SIGCONT: it continues as without a fault`,
      play: inTheMiddle("well", async (tools) => freezeForAWhile(tools, name)),
    };
  }),
  {
    name: "executor-away",
    recovery: 12,
    shows: "the executor is gone until status names its cluster: the next one goes on, no workload is restarted twice",
    play: inTheMiddle("well", async ({ fleet, untilNamed }) => {
      await fleet.kill("executor");
      await untilNamed("ClusterUnreachable");
      fleet.startService("executor");
    }),
  },
  {
    name: "kill-api",
    shows: "kill -9 of the api: no webhook comes through, and polling finds everything",
    play: async (tools) => {
      const { fleet } = tools;
      fleet.startService("api", { env: { MESHROLL_API_PORT: "0" } });
      await inTheMiddle("withBad", async () => fleet.kill("api"))(tools);
    },
  },
  {
    name: "kill-all",
    recovery: lockEnds,
    shows: "planner, executor, Redis and NATS are killed by -9 at once, and started again in the other order",
    play: inTheMiddle("withBad", async ({ fleet, lane, random }) => {
      await Promise.all([fleet.kill("planner"), fleet.kill("executor"), lane.redis.kill(), lane.nats.kill()]);
      await Promise.all([lane.redis.start(), lane.nats.start()]);
      const order = random() < 0.5 ? (["planner", "executor"] as const) : (["executor", "planner"] as const);
      for (const name of order) fleet.startService(name);
    }),
  },
];
