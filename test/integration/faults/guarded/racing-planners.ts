import { deepStrictEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { readControlState } from "#libs/events";
import { testInstallation } from "#libs/input";
import { Redis } from "ioredis";

import type { Fault, Stage } from "../passes/fault.ts";
import { untilLookedAround } from "../passes/stays-still.ts";
import { type HeldBatch, holdBatch } from "./hold-batch.ts";
import { file } from "../passes/shop.ts";

/** First lines of what the ledger's commits say, oldest first. */
async function listTransitions({ fleet }: Stage): Promise<readonly string[]> {
  const args = ["--git-dir", fleet.gitFolder, "log", "--reverse", "--format=%s", "refs/heads/meshroll/ledger"];
  const { stdout } = await promisify(execFile)("git", args);
  return stdout.trim().split("\n");
}

function findTwice(lines: readonly string[]): readonly string[] {
  return lines.filter((line, at) => lines.indexOf(line) !== at);
}

/** So many planners write the bus: each has begun its looks, and pushes what it finds from now on. */
async function untilPlannerReconciles({ fleet }: Stage, count: number): Promise<void> {
  const writers = new Set<string>();
  await fleet.until(`${count} planners look around`, async () => {
    const state = readControlState((await fleet.bus.bucket("control").get("state"))?.value ?? "");
    if (state !== undefined) writers.add(state.writer);
    return writers.size >= count;
  });
}

/** Both planners find the merge, and their pushes stand before the server at the same moment. */
async function playRacingPushes(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  fleet.startService("planner", { as: "planner-2" });
  // One that is still starting comes to its push when the other has given its own up and pushes again.
  await untilPlannerReconciles(stage, 2);
  const { promise: until, resolve: letBoth } = Promise.withResolvers<undefined>();
  let waiting = 0;
  const onWaiting = (): void => void (waiting += 1);
  const on = { method: "POST", path: /\.git\/git-receive-pack/ };
  await fleet.merge({ "rollouts.yml": file(100) });
  fleet.github.addFault({ on, effect: { kind: "wait", until: until.then(() => undefined), onWaiting }, times: 2 });
  await fleet.until("both planners push", () => waiting === 2);
  letBoth(undefined);
  stage.fixed();
  await stage.endsUndisturbed("well");
  deepStrictEqual(findTwice(await listTransitions(stage)), [], "a decision that is recorded twice");
}

/** Jobs that wait for an executor or are in its hand, by the server's own lists. */
async function countJobs({ fleet, lane }: Stage): Promise<number> {
  const redis = new Redis(lane.redis.url);
  try {
    const name = `bull:meshroll-${testInstallation}-${fleet.cluster}`;
    return (await redis.llen(`${name}:wait`)) + (await redis.llen(`${name}:active`));
  } finally {
    redis.disconnect();
  }
}

async function playTwoPlannersDuringABatch({ stage, held }: HeldBatch): Promise<void> {
  stage.fleet.startService("planner", { as: "planner-2" });
  await untilLookedAround(stage, 6);
  deepStrictEqual(await countJobs(stage), 1, "jobs in the queue of one cluster");
  held.release();
  stage.fixed();
}

/** Two planners that know nothing of each other. */
export const racingPlannerFaults: readonly Fault[] = [
  {
    name: "racing-pushes",
    shows: "two planners push the same decision at the same moment: one is refused, and it is recorded once",
    play: playRacingPushes,
  },
  {
    name: "planners-two-batches",
    shows: "two planners look around while a batch is in hand: the queue has no second one",
    play: async (stage) => holdBatch(stage, playTwoPlannersDuringABatch),
  },
];
