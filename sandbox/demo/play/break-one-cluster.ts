import type { FleetStatus } from "#libs/plan";

import { brokenStage } from "../world/files.ts";
import { readMergedRollouts } from "../world/people.ts";
import { plantBadProxies } from "./plant-bad-proxies.ts";
import { type Stage, until } from "./stage.ts";
import { findStageRun } from "../story/story.ts";
import { wipeBrokers } from "../world/wipe-brokers.ts";

/** What arrived so far, as a share of the stage's run. */
function measureProgress(status: FleetStatus): number {
  const run = findStageRun(status, brokenStage);
  return run === undefined || run.workloads === 0 ? 0 : run.migrated / run.workloads;
}

/** Waits until so much of the run has arrived; people may have ended it before: then nothing is left to see. */
async function untilMigrated(stage: Stage, share: number): Promise<FleetStatus> {
  const { teller } = stage;
  return until(stage, "the first batches", (status) => measureProgress(status) >= share || teller.isOver(status));
}

/**
 * The first batches go well; then the proxies of one cluster go bad, and what moves there does not come up. Answers how it is
 * fixed.
 */
export async function breakOneCluster(stage: Stage): Promise<() => void> {
  const { environment, display, options } = stage;
  if (options.wipe) {
    await untilMigrated(stage, 0.05);
    await wipeBrokers(environment);
    display.say("wiped with batches in hand: Redis is empty (FLUSHALL), NATS has lost its store");
  }
  await untilMigrated(stage, 0.15);
  const merged = await readMergedRollouts({
    url: environment.github.url,
    gitUrl: environment.github.gitUrl,
    folder: environment.folder,
  });
  const fault = plantBadProxies(environment.clusters, merged);
  display.say(`planted: new proxies of ${fault.revision} in ${fault.cluster} never get ready from now on`);
  options.onPlanted(fault.fix);
  return fault.fix;
}
