import type { FleetStatus } from "#libs/plan";

import { drawAnswers, drawFailed } from "./draw-answers.ts";
import { drawClusters, drawHead } from "./draw-clusters.ts";
import { cutText, showTime, spread } from "./fit-text.ts";
import type { PictureFacts, Size } from "../story/step.ts";
import { findCampaign, isComplete, isWaitingForReview, mergesItself } from "../story/story.ts";

const numbers = new Intl.NumberFormat("en-US");

/** The newest of the open runs. */
function findRun({ runs }: FleetStatus): FleetStatus["runs"][number] | undefined {
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
  if (pull === undefined || pull.state !== "open")
    return isComplete(status) ? "all on the new revision" : "between two stages";
  if (mergesItself(status)) return `#${pull.number} merges itself`;
  return isWaitingForReview(status, pull.stage) ? `#${pull.number} waits for a review` : `#${pull.number} is open`;
}

function drawTitle(status: FleetStatus, columns: number): string[] {
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

/** A step on one line, or its command on a line of its own, as a command that is cut cannot be typed. */
function drawStep(what: string, command: string, columns: number): readonly string[] {
  const line = `▸ ${what}  ${command}`;
  return cutText(line, columns) === line
    ? [line]
    : [cutText(`▸ ${what.trimEnd()}:`, columns), cutText(`  ${command}`, columns)];
}

/** What may be typed now, and how to leave. */
function drawFooter({ next }: PictureFacts, columns: number): string[] {
  const width = Math.max(0, ...next.map(({ what }) => what.length));
  const steps = next.flatMap(({ what, command }) => drawStep(what.padEnd(width), command, columns));
  return [...steps, cutText("In another terminal, first:  . .demo/env        Ctrl-C here ends the demo", columns)];
}

/** The newest notes, as many as there is room for. */
function drawNotes({ notes }: PictureFacts, columns: number, rows: number): string[] {
  if (rows <= 0) return [];
  return notes.slice(-rows).map(({ at, text }) => cutText(`${showTime(at)} ${text}`, columns));
}

/**
 * The demo on one page: title, a line for each cluster, the answers, notes, what to type. Never more lines than `rows`, nor a
 * line longer than `columns`; with too few rows the notes go first, then answers, then clusters.
 */
export function drawPicture(context: PictureFacts, { columns, rows }: Size): string[] {
  const { status } = context;
  const footer = drawFooter(context, columns);
  if (status === undefined) {
    const waiting = cutText("meshroll demo: waiting for the planner's first status", columns);
    return [waiting, "", ...drawNotes(context, columns, rows - footer.length - 3), "", ...footer].slice(0, rows);
  }
  const run = findRun(status);
  const title = drawTitle(status, columns);
  const head = ["", drawHead(run !== undefined, columns)];
  const clusters = drawClusters(status, run, columns, Math.max(1, rows - title.length - head.length - footer.length));
  const answers = ["", ...drawAnswers(status, columns), ...(run === undefined ? [] : drawFailed(run, columns))];
  const upper = [...title, ...head, ...clusters, ...answers];
  const room = rows - upper.length - footer.length;
  const notes = drawNotes(context, columns, room - 1);
  const middle = notes.length === 0 ? [] : ["", ...notes];
  // Empty lines keep the footer at the bottom.
  const gap = Array.from({ length: Math.max(0, room - middle.length) }, () => "");
  return [...[...upper, ...middle, ...gap].slice(0, Math.max(0, rows - footer.length)), ...footer].slice(0, rows);
}
