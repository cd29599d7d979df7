import { setTimeout as sleep } from "node:timers/promises";

import { type Fault, inTheMiddle, type Stage } from "../passes/fault.ts";
import { drawBetween } from "../passes/random.ts";

const lives = 8;

/** One short life after the other, each ended by -9; the last one may stay. */
async function crashAgainAndAgain({ fleet, random }: Stage, name: "planner" | "executor"): Promise<void> {
  for (let life = 0; life < lives; life += 1) {
    await fleet.kill(name);
    fleet.startService(name);
    await sleep(drawBetween(random, 1, 4) * 1000);
  }
}

/** A process that dies every few seconds: healthy work must not count as failed for it (reliability K7). */
export const crashLoopFaults: readonly Fault[] = (["planner", "executor"] as const).map((name) => ({
  name: `crash-loop-${name}`,
  // The last life begins as the loop ends, and a lock of the one before may stand.
  recovery: 8,
  shows: `the ${name} is killed by -9 every few seconds, eight times: nothing counts as failed for it, and the run ends`,
  play: inTheMiddle("well", async (stage) => crashAgainAndAgain(stage, name)),
}));
