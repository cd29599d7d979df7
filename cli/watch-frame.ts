import type { CampaignStatus, FleetStatus, ToldAnswers } from "#libs/plan";

import { chooseMarks } from "./marks.ts";
import { type Reading, markState, sayText } from "./print-answers.ts";
import { sayCommand } from "./called-as.ts";
import { cutText } from "./wrap-text.ts";
import type { Watched } from "./watch-transitions.ts";

/** What a terminal shows at once. */
export interface Size {
  readonly rows: number;
  readonly columns: number;
}

type Run = FleetStatus["runs"][number];
type Share = Run["clusters"][number];

const barWidth = 20;

function drawBar(done: number, of: number, reading: Reading): string {
  const [full, empty] = chooseMarks(reading).bar;
  const filled = of === 0 ? 0 : Math.floor((barWidth * done) / of);
  return full.repeat(filled) + empty.repeat(barWidth - filled);
}

function printPercent(done: number, of: number): string {
  return of === 0 ? "" : `${Math.floor((100 * done) / of)} %`;
}

/** Who a cluster waits for, when nothing of it moves. */
function nameWait(status: FleetStatus, run: string, cluster: string): string | undefined {
  return status.waitingFor.find(({ scope }) => scope === `run/${run}@${cluster}`)?.code;
}

function nameDoing({ status, campaign }: Watched, run: Run, share: Share, reading: Reading): string {
  const { done, moving, waiting, idle } = chooseMarks(reading);
  const failed = share.failed > 0 ? `, ${share.failed} failed` : "";
  const batch = campaign?.doing.find((each) => each.cluster === share.cluster && each.run === run.id);
  if (share.moving > 0) {
    const which = batch === undefined ? "" : ` batch ${batch.batch}/${batch.of}`;
    return `${moving}${which} ${share.moving} restarting${failed}  ${batch?.workloads[0] ?? ""}`;
  }
  if (share.due + share.waiting === 0) return `${done} through${failed}`;
  const wait = nameWait(status, run.id, share.cluster);
  return wait === undefined ? `${idle} ${share.due} due${failed}` : `${waiting} ${wait}, ${share.due} due${failed}`;
}

/** One run: a line for each of its clusters, below it what is aside, as far as there is room. */
function drawRun(watched: Watched, run: Run, reading: Reading): readonly string[] {
  const { branch, failed } = chooseMarks(reading);
  const [middle, last, below] = branch;
  const width = Math.max(8, ...run.clusters.map(({ cluster }) => Math.min(24, cluster.length)));
  return run.clusters.flatMap((share, index) => {
    const isLast = index === run.clusters.length - 1;
    const count = `${share.arrived}/${share.workloads}`.padStart(11);
    const name = cutText(share.cluster, width).padEnd(width);
    const line = `${isLast ? last : middle} ${name} ${count}  ${nameDoing(watched, run, share, reading)}`;
    const aside = run.aside.filter(({ cluster }) => cluster === share.cluster);
    const shown = aside
      .slice(0, 2)
      .map(({ workload, reason }) => `${isLast ? "  " : below}  ${failed} ${workload}  ${reason}`);
    return [line, ...shown];
  });
}

function drawRunHead(run: Run, title: string, reading: Reading): string {
  const { arrived, workloads, asideTotal } = run;
  const aside = asideTotal > 0 ? `, ${asideTotal} aside` : "";
  return `${title}  ${arrived}/${workloads}  ${drawBar(arrived, workloads, reading)}  ${printPercent(arrived, workloads)}${aside}`;
}

function drawCampaignLine({ name, stage, state }: CampaignStatus, reading: Reading): string {
  const at = stage === undefined ? "every stage is through" : `stage ${stage.index}/${stage.of} ${stage.name}`;
  return `${name}  ${at}  ${markState(state, reading)}`;
}

/** What stands above the tree: the campaigns watched, or that there is none. */
function drawTop({ status, campaign }: Watched, reading: Reading): readonly string[] {
  if (campaign !== undefined) return [drawCampaignLine(campaign, reading)];
  const head = `main ${status.main.head.slice(0, 12)}  ${markState(status.state, reading)}  ${status.at}`;
  return [head, ...(status.campaigns ?? []).map((each) => drawCampaignLine(each, reading))];
}

function drawTree(watched: Watched, reading: Reading): readonly string[] {
  const { status, campaign } = watched;
  const runs = campaign === undefined ? status.runs : status.runs.filter(({ id }) => campaign.runs.includes(id));
  return runs.flatMap((run) => [drawRunHead(run, `run ${run.id}`, reading), ...drawRun(watched, run, reading)]);
}

/** The five answers, one line each: what does not fit is in `meshroll status`. */
function drawAnswers(answers: ToldAnswers, reading: Reading): readonly string[] {
  const first = (lines: readonly string[]) =>
    lines.length > 1 ? `${lines[0] ?? ""} (and ${lines.length - 1} more)` : (lines[0] ?? "");
  const command = (line: ToldAnswers["stop"]) =>
    line.command === undefined ? line.text : sayCommand(line.command, reading.terminal);
  return [
    `where      ${first(answers.where)}`,
    `waiting    ${first(answers.waiting.map(({ text }) => text))}`,
    `otherwise  ${first(answers.otherwise)}`,
    `stop       ${command(answers.stop)}`,
    `undo       ${command(answers.undo)}`,
  ];
}

/** At most `rows` lines; the rest is counted. */
function cutLines(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  return rows <= 0 ? [] : [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`];
}

/** Cut to the columns there are; the ellipsis of a plain reader is three dots. */
function fitLine(line: string, columns: number, { plain }: Reading): string {
  if (plain !== true || line.length <= columns) return cutText(line, columns);
  return columns <= 3 ? line.slice(0, columns) : `${line.slice(0, columns - 3)}...`;
}

/**
 * The picture of one moment: never more lines than the terminal has rows, never wider than its columns, however many
 * clusters and workloads there are. The answers stay; the tree gives way.
 */
export function drawFrame(watched: Watched, answers: ToldAnswers, size: Size, reading: Reading): readonly string[] {
  // The last row stays free: a line end there would scroll the picture.
  const rows = Math.max(1, size.rows - 1);
  const keys = "q quits; the rollout goes on";
  const bottom = cutLines([...drawAnswers(answers, reading), keys], Math.max(0, rows - 1));
  const top = cutLines(drawTop(watched, reading), Math.max(1, Math.floor((rows - bottom.length) / 2)));
  const room = rows - bottom.length - top.length;
  const tree = cutLines(drawTree(watched, reading), Math.max(0, room));
  const lines = [...top, ...tree, ...bottom].slice(0, rows);
  return lines.map((line) => fitLine(sayText(line, reading), size.columns, reading));
}
