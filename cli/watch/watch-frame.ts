import { nameShareScope } from "#libs/input";
import type { CampaignStatus, FleetStatus, RollbackStatus, ToldAnswers } from "#libs/plan";
import { printWorkloadReason, type RenderedWorkloadReason, type TextLine } from "#libs/wording";

import { chooseMarks, sortSkipped } from "../text/marks.ts";
import { markState, printFour, printStopAndUndo, saySentence, sayText, sayTime } from "../show/status/print-answers.ts";
import type { Reading } from "../options/reading-options.ts";
import { countFailed, printFailedShort } from "../show/status/print-failures.ts";
import { printRollbackState } from "../show/status/print-rollback-state.ts";
import { sayCommand } from "../terminal/called-as.ts";
import { cutLines } from "./scroll.ts";
import type { Watched } from "./watch-transitions.ts";
import { firstView, type View } from "./watch-view.ts";
import { cutText, wrapText } from "../text/wrap-text.ts";

/** The size of a terminal. */
export interface Size {
  readonly rows: number;
  readonly columns: number;
}

type Run = FleetStatus["runs"][number];
type Share = Run["clusters"][number];

const barWidth = 20;

/** The first of the variants that fits, the fullest first; the last one where none does. */
function chooseFitting(variants: readonly string[], { width }: Pick<Reading, "width">): string {
  const fits = (line: string): boolean => Array.from(line).length <= (width ?? Number.POSITIVE_INFINITY);
  return variants.find(fits) ?? variants.at(-1) ?? "";
}

function drawBar(done: number, of: number, reading: Reading): string {
  const [full, empty] = chooseMarks(reading).bar;
  const filled = of === 0 ? 0 : Math.floor((barWidth * done) / of);
  return full.repeat(filled) + empty.repeat(barWidth - filled);
}

function printPercent(done: number, of: number): string {
  return of === 0 ? "" : `${Math.floor((100 * done) / of)} %`;
}

/** What a cluster waits for, when nothing moves in it: its own wait, else what holds the whole run or all. */
function nameWait({ waiting }: FleetStatus, run: string, cluster: string): string | undefined {
  const scopes = [nameShareScope(run, cluster), `cluster/${cluster}`, `run/${run}`, "all"];
  return scopes.flatMap((scope) => waiting.find((wait) => wait.scope === scope)?.code ?? [])[0];
}

/** For a cluster where nothing is left: complete, or how many did not move. */
function nameEnd({ skipped, failed }: Share, reading: Reading): readonly string[] {
  const marks = chooseMarks(reading);
  if (skipped === 0) return [`${marks.done} done`];
  const others = skipped > failed ? `, ${skipped - failed} skipped` : "";
  const mark = failed > 0 ? marks.failed : marks.skipped;
  const counts = `${printFailedShort(failed)}${others}`;
  return [`${mark} nothing left to move${counts}`, `${mark} ${counts.replace(/^, /u, "")}`];
}

/** What a cluster does, the fullest form first. */
function nameDoing({ status, campaign }: Watched, run: Run, share: Share, reading: Reading): readonly string[] {
  const { migrating, waiting, idle } = chooseMarks(reading);
  const failed = share.failed > 0 ? `, ${share.failed} failed` : "";
  const batch = campaign?.rollouts.find((each) => each.cluster === share.cluster && each.run === run.id);
  if (share.migrating > 0) {
    const what = `${share.migrating} restarting${failed}`;
    if (batch === undefined) return [`${migrating} ${what}`];
    const which = `${migrating} batch ${batch.batch}/${batch.of} ${what}`;
    return [`${which}  ${batch.workloads[0] ?? ""}`.trimEnd(), which];
  }
  if (share.pending + share.waiting === 0) return nameEnd(share, reading);
  const wait = nameWait(status, run.id, share.cluster);
  const mark = wait === undefined ? idle : `${waiting} ${wait},`;
  return [`${mark} ${share.pending} pending${failed}`];
}

function measureCount({ migrated, workloads }: Share): number {
  return `${migrated}/${workloads}`.length;
}

/** One run: a line for each cluster, and skipped workloads as far as there is room. */
function drawRun(watched: Watched, run: Run, reading: Reading): readonly string[] {
  const { branch, failed: mark, skipped: left } = chooseMarks(reading);
  const [middle, last, below] = branch;
  const width = Math.max(8, ...run.clusters.map(({ cluster }) => Math.min(24, cluster.length)));
  const counted = (reading.width ?? 80) < 80 ? Math.max(...run.clusters.map(measureCount)) : 11;
  return run.clusters.flatMap((share, index) => {
    const isLast = index === run.clusters.length - 1;
    const count = `${share.migrated}/${share.workloads}`.padStart(counted);
    const name = cutText(share.cluster, width).padEnd(width);
    const head = `${isLast ? last : middle} ${name} ${count}  `;
    const line = chooseFitting(
      nameDoing(watched, run, share, reading).map((doing) => head + doing),
      reading,
    );
    const skipped = sortSkipped(run.skipped.filter(({ cluster }) => cluster === share.cluster));
    const shown = skipped.slice(0, 2).map((each) => {
      const why = printWorkloadReason(each, (at) => sayTime(at, reading));
      const start = `${isLast ? "  " : below}  ${each.failed === true ? mark : left} ${each.workload}`;
      return chooseFitting([`${start}  ${why}`, `${start}  ${each.code}`, start], reading);
    });
    return [line, ...shown];
  });
}

/** The bar of a rollback: how much is back, and its direction. */
function drawWayBack({ done, total }: RollbackStatus, title: string, reading: Reading): string {
  const [full, empty] = chooseMarks(reading).bar;
  const bar = drawBar(done, total, reading).replaceAll(full, "").length;
  const back = empty.repeat(bar) + full.repeat(barWidth - bar);
  const [head, end] = [`${title}  back ${done}/${total}`, printPercent(done, total)];
  return chooseFitting([`${head}  ${back} ${chooseMarks(reading).backward}  ${end}`, `${head}  ${end}`], reading);
}

function drawRunHead(run: Run, title: string, reading: Reading): string {
  const { migrated, idle, workloads, skippedTotal, clusters } = run;
  const unproven = idle > 0 ? `, ${idle} idle` : "";
  const skipped = skippedTotal > 0 ? `, ${skippedTotal} skipped${printFailedShort(countFailed(clusters))}` : "";
  const [head, end] = [
    `${title}  ${migrated}/${workloads}`,
    `${printPercent(migrated, workloads)}${unproven}${skipped}`,
  ];
  return chooseFitting([`${head}  ${drawBar(migrated, workloads, reading)}  ${end}`, `${head}  ${end}`], reading);
}

function drawCampaignLine({ name, stage, state, failures }: CampaignStatus, reading: Reading): string {
  const at = stage === undefined ? "every stage is complete" : `stage ${stage.index}/${stage.of} ${stage.name}`;
  return `${name}  ${at}  ${markState(state, reading)}${printFailedShort(failures.count)}`;
}

/** The watched campaigns, or that there is none. */
function drawTop({ status, campaign }: Watched, reading: Reading): readonly string[] {
  const rollback = (campaign ?? status).rollback;
  const back = rollback === undefined ? [] : [printRollbackState(rollback)];
  if (campaign !== undefined) return [drawCampaignLine(campaign, reading), ...back];
  const failed = printFailedShort(status.failures?.count ?? 0);
  const main = `main ${status.main.head.slice(0, 12)}  ${markState(status.state, reading)}${failed}`;
  const head = chooseFitting([`${main}  ${sayTime(status.at, reading)}`, main], reading);
  return [head, ...back, ...(status.campaigns ?? []).map((each) => drawCampaignLine(each, reading))];
}

function drawTree(watched: Watched, reading: Reading): readonly string[] {
  const { status, campaign } = watched;
  const runs = campaign === undefined ? status.runs : status.runs.filter(({ id }) => campaign.runs.includes(id));
  const { rollback } = campaign ?? status;
  return runs.flatMap((run) => {
    const title = `run ${run.id}`;
    const isBack = rollback?.run === run.id;
    const head = isBack ? drawWayBack(rollback, title, reading) : drawRunHead(run, title, reading);
    return [head, ...drawRun(watched, run, reading)];
  });
}

/** The five answers, one line each; `meshroll status` has them in full. */
function drawShortAnswers(answers: ToldAnswers, reading: Reading): readonly string[] {
  const first = (lines: readonly TextLine[]) => {
    const [line, ...more] = lines.filter(({ isChoice }) => isChoice !== true);
    const text = line === undefined ? "" : saySentence(line, reading);
    return more.length > 0 ? `${text} (and ${more.length} more)` : text;
  };
  // Of several possible actions, the safest.
  const next = answers.waiting.find(({ isChoice }) => isChoice === true);
  const command = (line: ToldAnswers["stop"]) =>
    line.command === undefined ? saySentence(line, reading) : sayCommand(line.command, reading.terminal);
  // A command that has no room next to its label has a line of its own, so that it can be copied.
  const labelled = (label: string, text: string): readonly string[] => {
    const line = `${label.padEnd(11)}${text}`;
    return Array.from(line).length <= (reading.width ?? Number.POSITIVE_INFINITY) ? [line] : [label, text];
  };
  return [
    `where      ${first(answers.where)}`,
    `waiting    ${first(answers.waiting)}`,
    ...(next === undefined ? [] : labelled("do first", command(next))),
    `next       ${first(answers.next)}`,
    ...labelled("stop", command(answers.stop)),
    ...labelled("undo", command(answers.undo)),
  ];
}

/** The answers as in `meshroll status` where there is room, else one line each. */
function drawAnswers(answers: ToldAnswers, room: number, reading: Reading): readonly string[] {
  const whole = [...printFour(answers, reading), ...printStopAndUndo(answers, reading)].join("\n").split("\n");
  return whole.length <= room ? whole : drawShortAnswers(answers, reading);
}

type LeftList = Pick<NonNullable<FleetStatus["skipped"]>, "count"> & {
  readonly items: readonly (RenderedWorkloadReason & { readonly workload: string })[];
};

/** The entries in the status, and the command that lists the others. */
function drawLeft(left: LeftList | undefined, mark: string, kind: string, reading: Reading): readonly string[] {
  if (left === undefined) return [];
  const lines = left.items.map(
    (each) => `${mark} ${each.workload}  ${printWorkloadReason(each, (at) => sayTime(at, reading))}`,
  );
  const more = left.count - lines.length;
  if (more <= 0) return lines;
  return [
    ...lines,
    `${chooseMarks(reading).more} ${more} more:  ${sayCommand(`meshroll get ${kind}`, reading.terminal)}`,
  ];
}

/** Failures that were not dealt with, then other skipped workloads. */
function drawSkipped({ status, campaign }: Watched, reading: Reading): readonly string[] {
  const { failures, skipped } = campaign ?? status;
  const marks = chooseMarks(reading);
  const all = [
    ...drawLeft(failures, marks.failed, "failures", reading),
    ...drawLeft(skipped, marks.skipped, "skipped", reading),
  ];
  return all.length === 0 ? ["nothing has failed, nothing is skipped"] : all;
}

/** The namespaces in which something moves, with counts. */
function drawMoving({ status, campaign }: Watched): readonly string[] {
  const rollouts = status.rollouts.filter(({ run }) => campaign === undefined || campaign.runs.includes(run));
  const lines = rollouts.flatMap(({ cluster, workloads }) => {
    const counts = new Map<string, number>();
    for (const [name = ""] of workloads.map((each) => each.split("/"))) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].map(([name, count]) => `${cluster} ${name}  ${count} restarting`);
  });
  return lines.length === 0 ? ["nothing moves"] : lines.toSorted();
}

const help = [
  "j, k, arrows, page keys   scroll; g, G: to the top, to the end",
  "f   what failed or was skipped; again: back",
  "n   the namespaces in which something moves; again: back",
  "?   these lines; again: back",
  "q   quits; the rollout continues",
  "No key changes anything: the commands to stop and to undo are below; type them in another terminal.",
];

function drawBody(watched: Watched, { page }: View, columns: number, reading: Reading): readonly string[] {
  switch (page) {
    case "runs":
      return drawTree(watched, reading);
    case "failures":
      return drawSkipped(watched, reading);
    case "namespaces":
      return drawMoving(watched);
    case "keys":
      return help.flatMap((line) => wrapText(line, columns));
  }
}

/** Cut to the columns; in plain text the ellipsis is three dots. */
function fitLine(line: string, columns: number, { plain }: Reading): string {
  if (plain !== true || line.length <= columns) return cutText(line, columns);
  return columns <= 3 ? line.slice(0, columns) : `${line.slice(0, columns - 3)}...`;
}

/** A picture, its last line, and the list's actual offset. */
export interface Frame {
  readonly lines: readonly string[];
  readonly foot: string;
  readonly offset: number;
}

const keys = [
  "j/k scroll  f failures  n namespaces  ? keys  q quits; the rollout continues",
  "j/k scroll  f failures  n namespaces  ? keys  q quits",
];

/**
 * The picture: never more lines or columns than the terminal has, however many clusters and workloads there are. The answers
 * are always shown; the list is cut, and can be scrolled.
 */
export function drawFrame(
  watched: Watched,
  answers: ToldAnswers,
  { rows: height, columns }: Size,
  given: Reading,
  view: View = firstView,
): Frame {
  // The terminal may have another size than when the command began.
  const reading = { ...given, width: columns };
  // The last row stays free, because a line end there would scroll; one more is for the keys.
  const rows = Math.max(0, height - 2);
  const body = drawBody(watched, view, columns, reading);
  const heads = drawTop(watched, reading);
  const told = drawAnswers(answers, rows - heads.length - body.length, reading);
  const bottom = cutLines(told, Math.max(0, rows - 1)).lines;
  const top = cutLines(heads, Math.max(1, Math.floor((rows - bottom.length) / 2))).lines;
  const list = cutLines(body, Math.max(0, rows - bottom.length - top.length), view.offset);
  const fit = (line: string) => fitLine(sayText(line, reading), columns, reading);
  const lines = [...top, ...list.lines, ...bottom].slice(0, rows).map(fit);
  return { lines, foot: fit(chooseFitting(keys, reading)), offset: list.offset };
}
