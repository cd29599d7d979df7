import { addressPage } from "#libs/input";
import type { CampaignStatus, FleetStatus, ToldAnswers } from "#libs/plan";
import { printManagerEnd, printRunParts, printWorkloadReason } from "#libs/wording";

import { chooseMarks, sortSkipped } from "../../text/marks.ts";
import { markState, printAnswer, printFour, printStopAndUndo, sayText, sayTime } from "./print-answers.ts";
import type { Reading } from "../../options/reading-options.ts";
import { printAge, printTime } from "../../text/print-time.ts";
import { countFailed, printFailureCount } from "./print-failures.ts";
import { printRollbackState } from "./print-rollback-state.ts";
import { printSkipped } from "./print-skipped.ts";
import { printStops } from "./print-stops.ts";
import { fitTable } from "../../text/table.ts";
import { chooseProse, wrapSentences, wrapText } from "../../text/wrap-text.ts";
import type { Sentence } from "../../terminal/sentence.ts";

/** Entries of a list before "and N more". */
const shown = 5;

function printRuns({ runs }: FleetStatus, reading: Reading): readonly string[] {
  const marks = chooseMarks(reading);
  return runs.flatMap((run) => {
    const idle = run.idle === 0 ? "" : `${run.idle} idle, `;
    const open = `${run.migrating} migrating, ${run.pending} pending, ${run.waiting} waiting`;
    const counts = `${run.migrated}/${run.workloads} migrated, ${idle}${open}`;
    const skipped = sortSkipped(run.skipped)
      .slice(0, shown)
      .map((each) => {
        const mark = each.failed === true ? marks.failed : marks.skipped;
        return `  ${mark} ${each.cluster} ${each.workload}  ${printWorkloadReason(each, (at) => sayTime(at, reading))}`;
      });
    return [
      `run ${run.id}  ${counts}, ${run.skippedTotal} skipped${printFailedOf(run)}`,
      ...[printRunParts(run)].filter((line) => line !== "").map((line) => `  ${line}`),
      `  ${run.subject} (${run.author})`,
      ...skipped,
      ...(run.skippedTotal > shown ? [`  ${marks.more} ${run.skippedTotal - shown} more skipped`] : []),
    ];
  });
}

/** How many of the skipped ones failed. */
function printFailedOf({ clusters }: FleetStatus["runs"][number]): string {
  const failed = countFailed(clusters);
  return failed === 0 ? "" : ` (${failed} failed)`;
}

function printFailures({ failures }: FleetStatus, cluster: string | undefined): readonly Sentence[] {
  if (failures === undefined || failures.count === 0) return [];
  return [
    printFailureCount(failures),
    ["  ", { command: `meshroll get failures${cluster === undefined ? "" : ` --cluster ${cluster}`}` }],
  ];
}

/** What owners' deploys overwrote after the runs were over. */
function printPutBack({ putBack }: FleetStatus): readonly Sentence[] {
  if (putBack === undefined) return [];
  const { message, insists, list, command, managers = [] } = putBack;
  return [
    message,
    ["  ", { command: list }, "  lists them"],
    ["  ", { command }, "  brings them back"],
    ...(insists === undefined ? [] : [insists]),
    ...managers.slice(0, shown).map(({ manager, end }) => printManagerEnd(manager, end)),
  ];
}

/** What differs from main for another reason than an owner's deploy. */
function printUnmoved({ unmoved }: FleetStatus): readonly Sentence[] {
  if (unmoved === undefined) return [];
  const { message, insists, list, command } = unmoved;
  return [
    message,
    ["  ", { command: list }, "  lists them"],
    ["  ", { command }, "  moves them to what main says"],
    ...(insists === undefined ? [] : [insists]),
  ];
}

/** A screen reader or a pipe has no columns: each row is one line. */
function chooseWidth({ plain, width }: Reading): number {
  return plain === true ? Number.POSITIVE_INFINITY : (width ?? Number.POSITIVE_INFINITY);
}

export const clusterHeader = ["NAME", "MODE", "SEEN", "NS", "MANAGED", "ROLLING", "UNHEALTHY", "DRIFT"];

/** What a narrow terminal goes without, the least important first. */
const clusterSpare: readonly string[] = ["NS", "MODE", "DRIFT", "UNHEALTHY"];

/** One line for each cluster, NAME first. */
export function listClusterCells(each: FleetStatus["clusters"][number]): readonly string[] {
  return [
    each.name,
    each.mode,
    each.ageSeconds === undefined ? "never!" : `${each.ageSeconds}s${each.fresh ? "" : "!"}`,
    String(each.namespaces),
    `${each.workloads - each.unmanaged}/${each.workloads}`,
    String(each.rolling),
    String(each.unhealthy),
    String(each.drift),
  ];
}

function printClusters({ clusters }: FleetStatus, reading: Reading): readonly string[] {
  const [, ...titles] = clusterHeader;
  const room = { width: chooseWidth(reading), spare: clusterSpare };
  return fitTable(["CLUSTER", ...titles], clusters.map(listClusterCells), room).lines;
}

/** What the column DRIFT counts, below a table in which it is not 0 and that no answer about it precedes. */
function explainDrift({ clusters, unmoved, putBack }: FleetStatus): readonly Sentence[] {
  if (unmoved !== undefined || putBack !== undefined || clusters.every(({ drift }) => drift === 0)) return [];
  return [
    "DRIFT: workloads that differ from rollouts.yml and that no run moves:",
    ["  ", { command: "meshroll get drift" }],
  ];
}

/** What comes next, in one word. */
const comingWords: Readonly<Record<CampaignStatus["next"][number]["event"], string>> = {
  BatchesEnd: "batches",
  DeploysEnd: "deploys",
  BatchesBegin: "deadline",
  BakeEnds: "bake",
  PullRequestOpens: "pull",
  PullRequestMerges: "merge",
  WindowOpens: "window",
  WindowCloses: "closes",
  FreezeBegins: "freeze",
  FreezeEnds: "thaw",
  ExclusionEnds: "exclusion",
  Nothing: "-",
};

/** `14:26` today, `Fri-14:26` within a week, else `12-04`: a time without a blank, in the reader's zone. */
function printTimeCell(iso: string, now: string, { tz }: Pick<Reading, "tz">): string {
  const [at, today] = [Date.parse(iso), Date.parse(now)];
  const zone = tz === undefined ? {} : { tz };
  const [date = "", time = ""] = printTime(at, zone).split(" ");
  if (printTime(today, zone).startsWith(date)) return time.slice(0, 5);
  if (Math.abs(at - today) >= 6 * 86_400_000) return date.slice(5);
  return `${Intl.DateTimeFormat("en-GB", { timeZone: tz, weekday: "short" }).format(at)}-${time.slice(0, 5)}`;
}

/** These end the present activity, and are not what comes next. */
const limits: readonly string[] = ["WindowCloses", "FreezeBegins"];

/** The first event at a known time, as a cell. */
function printComing({ next, at: now }: CampaignStatus, reading: Pick<Reading, "tz">): string | undefined {
  const first = next.find(({ event, at }) => at !== undefined && !limits.includes(event));
  if (next[0]?.event === "Nothing" || first?.at === undefined) return undefined;
  return `${comingWords[first.event]}@${printTimeCell(first.at, now, reading)}`;
}

/** An event at an unknown time, or what is waited for. */
function nameUndated({ waiting, next }: CampaignStatus): string {
  const event = next[0]?.event ?? "Nothing";
  return event === "Nothing" ? (waiting[0]?.code ?? comingWords.Nothing) : comingWords[event];
}

/** What comes next, as a cell: stops that prevent it, else its time, else who is waited for. */
function nameNext(status: CampaignStatus, reading: Pick<Reading, "tz">): string {
  const { stops, waiting, rollback } = status;
  // A hold waits for a person only once the rollback that left it is over.
  if (rollback !== undefined) return "rollback";
  // Stops that one command ends count once.
  const ends = new Set(stops.map(({ command }) => command)).size;
  if (ends > 0) return ends === 1 ? "1-stop" : `${ends}-stops`;
  const person = waiting.find(({ command }) => command !== undefined);
  return printComing(status, reading) ?? person?.code ?? nameUndated(status);
}

/** One line for each campaign, NAME first. */
export function listCampaignCells(status: CampaignStatus, reading: Pick<Reading, "tz">): readonly string[] {
  const { name, target, stage, state, counts, failures } = status;
  return [
    name,
    target,
    stage?.name ?? "-",
    stage === undefined ? "-" : `${stage.index}/${stage.of}`,
    state,
    counts.workloads === 0 ? "-" : `${counts.migrated}/${counts.workloads}`,
    String(failures.count),
    nameNext(status, reading),
  ];
}

export const campaignHeader = ["NAME", "TARGET", "STAGE", "N", "STATE", "DONE", "FAILED", "NEXT"];

/** What a narrow terminal goes without, the least important first. */
export const campaignSpare: readonly string[] = ["N", "TARGET", "STAGE", "NEXT"];

function printCampaigns(campaigns: readonly CampaignStatus[], reading: Reading): string {
  const rows = campaigns.map((each) => listCampaignCells(each, reading));
  return fitTable(campaignHeader, rows, { width: chooseWidth(reading), spare: campaignSpare }).lines.join("\n");
}

/** A line at the top when the planner stopped writing. */
function printSilence({ wroteAt }: FleetStatus): readonly string[] {
  const age = wroteAt === undefined ? 0 : Date.now() - wroteAt;
  if (age < 30_000) return [];
  return [`! no planner has written for ${printAge(age)}: this is its last status, and nothing new starts`, ""];
}

function describeMainAge({ ageSeconds }: FleetStatus["main"]): string {
  return ageSeconds === undefined ? "not read since the planner began" : `read ${ageSeconds}s ago`;
}

/** The fleet or one cluster. */
type Shown = FleetStatus & { readonly cluster?: string };

function printPage({ page }: FleetStatus): readonly string[] {
  const address = addressPage(page, { code: "Fleet" });
  return address === undefined ? [] : [`page ${address}`];
}

/** The lines above a campaign or the fleet. */
function printHead(status: Shown, reading: Reading): readonly string[] {
  const { main, state, at, rollback } = status;
  return [
    ...printSilence(status),
    `main ${main.head.slice(0, 12)}  ${markState(state, reading)}  (${describeMainAge(main)})`,
    `status of ${sayTime(at, reading)}${status.cluster === undefined ? "" : `, in cluster ${status.cluster} alone`}`,
    ...(rollback === undefined ? [] : [printRollbackState(rollback)]),
    ...printPage(status),
  ].map((line) => sayText(line, reading));
}

function wrap(lines: readonly string[], reading: Reading): string {
  return lines.flatMap((line) => wrapText(sayText(line, reading), chooseProse(reading.width))).join("\n");
}

/** What needs attention: failures, skipped or overwritten workloads, and stops; only where there are any. */
function printDetails(status: Shown, answers: ToldAnswers, reading: Reading): readonly string[] {
  const told = new Set(answers.waiting.map(({ command }) => command));
  // A stop that is named as a wait is not repeated, except an overdue one.
  const stops = status.stops.filter(({ command, overdue }) => overdue || !told.has(command));
  const details: readonly (readonly [name: string, lines: readonly Sentence[]])[] = [
    ["failed", printFailures(status, status.cluster)],
    ["skipped", printSkipped(status.skipped, status.cluster === undefined ? "" : ` --cluster ${status.cluster}`)],
    ["put back", printPutBack(status)],
    ["drift", printUnmoved(status)],
    ["stopped", printStops({ stops }, reading)],
  ];
  return details.flatMap(([name, lines]) => (lines.length === 0 ? [] : [printAnswer(name, lines, reading)]));
}

/** The five answers for a terminal: where, rollouts, waiting, next, stop and undo. */
export function printStatus(status: Shown, answers: ToldAnswers, reading: Reading): string {
  const { campaigns = [], clusters, runs } = status;
  const problems = clusters.flatMap(({ name, problems: all }) => all.map((each) => `! ${name}: ${each}`));
  const drift = wrapSentences(explainDrift(status), reading.terminal, chooseProse(reading.width));
  const parts = [
    wrap(printHead(status, reading), reading),
    ...(campaigns.length > 0 ? [printCampaigns(campaigns, reading)] : []),
    ...(runs.length > 0 ? [wrap(printRuns(status, reading), reading)] : []),
    [
      ...printFour(answers, reading),
      ...printDetails(status, answers, reading),
      ...printStopAndUndo(answers, reading),
    ].join("\n"),
    ...(clusters.length > 0 ? [[...printClusters(status, reading), ...drift].join("\n")] : []),
    ...(problems.length > 0 ? [wrap(problems, reading)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
