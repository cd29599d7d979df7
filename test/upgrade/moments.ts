import type { FleetStatus } from "#libs/plan";

import { brokenStage } from "../../sandbox/demo/world/files.ts";
import { findCampaign, findStageRun } from "../../sandbox/demo/story/story.ts";

export type Service = "planner" | "executor" | "notifier" | "api";

/** One process that becomes one of another build: of this one, or again of the version before. */
export interface Step {
  readonly service: Service;
  readonly to: "this build" | "the older";
}

/** What no status tells. */
export interface SoFar {
  /** New proxies of one cluster never get ready any more: the stage is about to be stopped. */
  readonly isBroken: boolean;
}

/** When processes are restarted, and which, one after the other. */
export interface Moment {
  readonly name: string;
  readonly isNow: (status: FleetStatus, soFar: SoFar) => boolean;
  readonly steps: readonly Step[];
}

function inBatchOf(stage: string): (status: FleetStatus) => boolean {
  return (status) => (findStageRun(status, stage)?.migrating ?? 0) > 0;
}

/** It counts: all of the stage's run has arrived. */
function inBakeOf(stage: string): Moment["isNow"] {
  return (status) => findStageRun(status, stage) !== undefined && findCampaign(status)?.bake?.endsAt !== undefined;
}

function inRollback({ stops, runs }: FleetStatus): boolean {
  return stops.some(({ cause }) => cause === "rolledBack") && runs.some(({ migrating }) => migrating > 0);
}

const forth = (service: Service): Step => ({ service, to: "this build" });
const back = (service: Service): Step => ({ service, to: "the older" });

/**
 * In the order of the demo's story. Planner and executor are never both of this build before the last moment: a minute later the
 * ledger would be raised, and the older build could not return.
 */
export const moments: readonly Moment[] = [
  {
    name: "a batch of staging-100",
    isNow: inBatchOf("staging-100"),
    steps: [forth("notifier"), forth("api"), forth("planner")],
  },
  { name: "the bake of staging-100", isNow: inBakeOf("staging-100"), steps: [back("planner"), forth("executor")] },
  {
    name: `a batch of ${brokenStage} that breaks`,
    isNow: (status, { isBroken }) => isBroken && inBatchOf(brokenStage)(status),
    steps: [back("executor"), forth("planner")],
  },
  { name: `the rollback of ${brokenStage}`, isNow: inRollback, steps: [back("planner"), forth("executor")] },
  {
    name: `the bake of ${brokenStage}, tried again`,
    isNow: inBakeOf(brokenStage),
    steps: [back("executor"), forth("planner")],
  },
  { name: "a batch of prod-100", isNow: inBatchOf("prod-100"), steps: [forth("executor")] },
];
