import { deepStrictEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

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

/** A second planner has started up, and waits for the lease. */
async function startWaitingPlanner({ fleet }: Stage): Promise<void> {
  fleet.startService("planner", { as: "planner-2" });
  const log = join(fleet.folder, "planner.log");
  await fleet.until("the second planner waits", () => readFileSync(log, "utf8").includes("another planner leads"));
}

/** The planner that leads is suspended, and its lease is taken from it: the other one leads at its next look. */
async function suspendLeader({ fleet }: Stage): Promise<() => void> {
  const thaw = fleet.freeze("planner");
  await fleet.bus.bucket("status").put("leader", "free");
  return thaw;
}

/** The planner that leads is suspended over its push, and the next one pushes the same; then both stand before the server. */
async function playRacingPushes(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  await startWaitingPlanner(stage);
  const { promise: until, resolve: letBoth } = Promise.withResolvers<undefined>();
  let waiting = 0;
  const onWaiting = (): void => void (waiting += 1);
  const on = { method: "POST", path: /\.git\/git-receive-pack/ };
  await fleet.merge({ "rollouts.yml": file(100) });
  fleet.github.addFault({ on, effect: { kind: "wait", until: until.then(() => undefined), onWaiting }, times: 2 });
  await fleet.until("the planner that leads pushes", () => waiting === 1);
  const thaw = await suspendLeader(stage);
  await fleet.until("the next one pushes, too", () => waiting === 2);
  letBoth(undefined);
  thaw();
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
  await startWaitingPlanner(stage);
  const thaw = await suspendLeader(stage);
  await untilLookedAround(stage, 6);
  thaw();
  deepStrictEqual(await countJobs(stage), 1, "jobs in the queue of one cluster");
  held.release();
  stage.fixed();
}

/** A planner that leads, and is suspended while another one takes over. */
export const racingPlannerFaults: readonly Fault[] = [
  {
    name: "racing-pushes",
    shows:
      "a planner is suspended over its push, the next one pushes the same: one is refused, and it is recorded once",
    play: playRacingPushes,
  },
  {
    name: "planners-two-batches",
    shows: "another planner takes over while a batch is in hand: the queue has no second one",
    play: async (stage) => holdBatch(stage, playTwoPlannersDuringABatch),
  },
];
