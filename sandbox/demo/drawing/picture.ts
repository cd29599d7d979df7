import { addressPage } from "#libs/input";

import { drawAnswers, drawFailed } from "./draw-answers.ts";
import { drawClusters, drawHead } from "./draw-clusters.ts";
import { drawTitle, findRun } from "./draw-title.ts";
import { cutText, showTime } from "./fit-text.ts";
import type { PictureFacts, Size } from "../story/step.ts";

/** A step on one line, or its command on a line of its own, as a command that is cut cannot be typed. */
function drawStep(what: string, command: string, columns: number): readonly string[] {
  const line = `▸ ${what}  ${command}`;
  return cutText(line, columns) === line
    ? [line]
    : [cutText(`▸ ${what.trimEnd()}:`, columns), cutText(`  ${command}`, columns)];
}

/** What may be typed now, where the page is, and how to leave. */
function drawFooter({ next, status }: PictureFacts, columns: number): string[] {
  const width = Math.max(0, ...next.map(({ what }) => what.length));
  const steps = next.flatMap(({ what, command }) => drawStep(what.padEnd(width), command, columns));
  const address = addressPage(status?.page, { code: "Fleet" });
  const page = address === undefined ? [] : [cutText(`In a browser:  ${address}`, columns)];
  return [
    ...steps,
    ...page,
    cutText("In another terminal, first:  . .demo/env        Ctrl-C here ends the demo", columns),
  ];
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
