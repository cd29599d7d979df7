import type { FleetStatus } from "#libs/plan";

import { cutText, showTime, spread } from "./fit-text.ts";
import { findCampaign, isComplete, isHeldBack, isWaitingForReview, mergesItself } from "../story/story.ts";

const numbers = new Intl.NumberFormat("en-US");

/** The newest of the open runs. */
export function findRun({ runs }: FleetStatus): FleetStatus["runs"][number] | undefined {
  return runs.at(-1);
}

function countManaged({ clusters }: FleetStatus): number {
  return clusters.reduce((sum, { workloads, unmanaged }) => sum + workloads - unmanaged, 0);
}

/** The campaign's stage of how many, and its state; undefined without a campaign. */
function nameStage(status: FleetStatus): string | undefined {
  const campaign = findCampaign(status);
  if (campaign === undefined) return undefined;
  const { name, state, stage } = campaign;
  if (isComplete(status)) return `${name}  all ${campaign.stages.length} stages done`;
  return stage === undefined
    ? `${name}  ${state}`
    : `${name}  stage ${stage.index}/${stage.of} ${stage.name}  ${state}`;
}

function sayPull(status: FleetStatus): string {
  const campaign = findCampaign(status);
  const pull = campaign?.pull;
  if (isHeldBack(status)) return "held after a rollback";
  if (pull === undefined || pull.state !== "open")
    return isComplete(status) ? "all on the new revision" : "between two stages";
  if (mergesItself(status)) return `#${pull.number} merges itself`;
  return isWaitingForReview(status, pull.stage) ? `#${pull.number} waits for a review` : `#${pull.number} is open`;
}

/** The first two lines: the stage or the run, its figures, and the clusters' time. */
export function drawTitle(status: FleetStatus, columns: number): string[] {
  const run = findRun(status);
  const time = `${showTime(status.at)} in the clusters`;
  const stage = nameStage(status);
  if (stage !== undefined) {
    const counts =
      run === undefined
        ? `${numbers.format(countManaged(status))} managed workloads`
        : `${run.migrated}/${run.workloads} migrated, ${run.migrating} migrating, ${run.skippedTotal} skipped`;
    const what = run === undefined ? sayPull(status) : `run ${run.id} (${run.author})`;
    return [spread(stage, time, columns), spread(what, counts, columns)];
  }
  if (run === undefined) {
    const managed = `${status.clusters.length} clusters, ${numbers.format(countManaged(status))} managed workloads`;
    return [spread(`main ${status.main.head.slice(0, 12)}  ${status.state}`, time, columns), cutText(managed, columns)];
  }
  const others = status.runs.length > 1 ? `  (and ${status.runs.length - 1} more open)` : "";
  const counts = `${run.migrated}/${run.workloads} migrated, ${run.migrating} migrating, ${run.skippedTotal} skipped`;
  return [
    spread(`run ${run.id}  ${status.state}${others}`, time, columns),
    spread(`${run.subject} (${run.author})`, counts, columns),
  ];
}
