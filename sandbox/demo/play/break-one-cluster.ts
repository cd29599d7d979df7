import type { FleetStatus } from "#libs/plan";

import { brokenStage } from "../world/files.ts";
import { readMergedRollouts } from "../world/people.ts";
import { plantBadProxies } from "./plant-bad-proxies.ts";
import { type DemoContext, until } from "./demo-context.ts";
import { findStageRun } from "../story/story.ts";
import { wipeBrokers } from "../world/wipe-brokers.ts";

/** Whether this share of the stage's run is migrated; 0: it has begun. */
function hasMigrated(status: FleetStatus, share: number): boolean {
  const run = findStageRun(status, brokenStage);
  return run !== undefined && run.migrated >= run.workloads * share;
}

/** Waits until this share of the run is migrated, or until people have ended it before. */
async function untilMigrated(context: DemoContext, share: number): Promise<FleetStatus> {
  const { suggester } = context;
  return until(context, "the first batches", (status) => hasMigrated(status, share) || suggester.isOver(status));
}

/** Lets the first moves of one cluster succeed, and makes new proxies there fail then. Returns the function that fixes them. */
export async function breakOneCluster(context: DemoContext): Promise<() => void> {
  const { environment, display, options } = context;
  await untilMigrated(context, 0);
  const fault = plantBadProxies(environment.clusters, await readMergedRollouts(environment));
  display.say(`planted: after the first ones, new proxies of ${fault.revision} in ${fault.cluster} never get ready`);
  options.onPlanted(fault.fix);
  if (options.wipe) {
    await untilMigrated(context, 0.05);
    await wipeBrokers(environment);
    display.say("wiped while batches are running: Redis is empty (FLUSHALL), NATS has lost its store");
  }
  return fault.fix;
}
