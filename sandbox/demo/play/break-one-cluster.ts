import type { FleetStatus } from "#libs/plan";

import { brokenStage } from "../world/files.ts";
import { readMergedRollouts } from "../world/people.ts";
import { plantBadProxies } from "./plant-bad-proxies.ts";
import { type DemoContext, until } from "./demo-context.ts";
import { findStageRun } from "../story/story.ts";
import { wipeBrokers } from "../world/wipe-brokers.ts";

/** Migrated workloads of the stage's run, from 0 to 1. */
function measureProgress(status: FleetStatus): number {
  const run = findStageRun(status, brokenStage);
  return run === undefined || run.workloads === 0 ? 0 : run.migrated / run.workloads;
}

/** Waits until this share of the run is migrated, or until people have ended it before. */
async function untilMigrated(context: DemoContext, share: number): Promise<FleetStatus> {
  const { suggester } = context;
  return until(context, "the first batches", (status) => measureProgress(status) >= share || suggester.isOver(status));
}

/** Lets the first batches succeed, then makes new proxies of one cluster fail. Returns the function that fixes them. */
export async function breakOneCluster(context: DemoContext): Promise<() => void> {
  const { environment, display, options } = context;
  if (options.wipe) {
    await untilMigrated(context, 0.05);
    await wipeBrokers(environment);
    display.say("wiped while batches are running: Redis is empty (FLUSHALL), NATS has lost its store");
  }
  await untilMigrated(context, 0.15);
  const merged = await readMergedRollouts(environment);
  const fault = plantBadProxies(environment.clusters, merged);
  display.say(`planted: new proxies of ${fault.revision} in ${fault.cluster} never get ready from now on`);
  options.onPlanted(fault.fix);
  return fault.fix;
}
