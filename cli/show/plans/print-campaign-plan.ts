import type { ApprovalRule } from "#libs/campaign";
import type { Spec } from "#libs/plan";
import {
  countMigrating,
  printAbout,
  printReplicas,
  printRunSize,
  printWorkloadReason,
  type SkippedFor,
} from "#libs/wording";

import type { CampaignPlan, PlannedBucket } from "./campaign-plan-form.ts";
import { printFileDiff, printMoves } from "./print-plan.ts";
import { printTime, type TimeOptions } from "../../text/print-time.ts";
import { printTable } from "../../text/table.ts";
import { wrapSentences, wrapText } from "../../text/wrap-text.ts";
import type { Caller } from "../../terminal/called-as.ts";
import type { Sentence } from "../../terminal/sentence.ts";

/** How many lines of a list are shown before "and N more"; JSON has all of them. */
const shown = 100;

/** Parts of a plan that have a list of their own. */
export type PlanPart = "moves" | "blocked" | "leftover";

function printActual(count: number, { namespaces }: PlannedBucket): string {
  return namespaces === 0 ? "0" : `${count}(${((100 * count) / namespaces).toFixed(1)}%)`;
}

function printNote({ bucket, excluded }: PlannedBucket): readonly string[] {
  if (excluded === undefined) return [];
  const until = excluded.until === undefined ? "" : ` until ${excluded.until.slice(0, 10)}`;
  return wrapText(`${bucket}: ${count(excluded.namespaces, "namespace")} excluded${until}; they are not moved`);
}

function printBuckets({ buckets }: CampaignPlan, width: number): readonly string[] {
  // A ramp moves nothing back, so the column is left out.
  const hasBack = buckets.some(({ back }) => back > 0);
  const header = [
    "BUCKET",
    "NS",
    "RUNS",
    "REQUESTED",
    "NOW",
    "AFTER",
    "MOVE",
    ...(hasBack ? ["BACK"] : []),
    "WORKLOADS",
    "PODS",
  ];
  const rows = buckets.map((each) => {
    const { from, to } = each.requested;
    const figures = [each.moves, ...(hasBack ? [each.back] : []), each.workloads, each.pods].map(String);
    const requested = from === to ? `${to}%` : `${from}→${to}%`;
    const actual = [printActual(each.now, each), printActual(each.after, each)];
    return [each.bucket, String(each.namespaces), String(each.runs), requested, ...actual, ...figures];
  });
  return [...printTable(header, rows, width), ...buckets.flatMap(printNote)];
}

function printClusters({ clusters }: CampaignPlan, width: number): readonly string[] {
  if (clusters.length === 0) return [];
  const header = ["CLUSTER", "WAVE", "NAMESPACES", "WORKLOADS", "PODS", "BATCHES", "ABOUT"];
  const rows = clusters.map(({ cluster, wave, namespaces, workloads, pods, batches, aboutMs }) => [
    cluster,
    ...[wave, namespaces, workloads, pods, batches].map(String),
    printAbout(aboutMs).replaceAll(" ", ""),
  ]);
  return printTable(header, rows, width);
}

function count(amount: number, word: string, plural = `${word}s`): string {
  return `${amount} ${amount === 1 ? word : plural}`;
}

function printNeeds({ approvals, autoMerge }: CampaignPlan): string {
  if (autoMerge !== undefined) {
    const notice = autoMerge.noticeMs === 0 ? "at once" : `${printAbout(autoMerge.noticeMs)} after it is proposed`;
    return `It merges itself ${notice}, when both checks are green.`;
  }
  return `Needs ${printRule(approvals)}.`;
}

function printRule({ required, from, allowAuthor }: ApprovalRule): string {
  if (required === 0) return "no approval; a person merges it";
  const whose = from.length === 0 ? "" : ` (${from.join(" or ")})`;
  return `${count(required, "approval")}${whose}${allowAuthor ? "" : ", not the author's"}`;
}

/** When the calendars let it begin, in the reader's zone. */
function printStart({ at, why, until }: CampaignPlan["start"], zone: TimeOptions): string {
  if (at === undefined) return `No window lets it start within a year: ${why ?? "none opens"}.`;
  const end = until === undefined ? "" : `, until ${printTime(Date.parse(until), zone)}`;
  if (why === undefined) return until === undefined ? "It may start at once." : `It may start at once${end}.`;
  return `Earliest start ${printTime(Date.parse(at), zone)}${end} (now: ${why}).`;
}

function printRestarts({ aboutMs, onDeploy }: CampaignPlan, restarts: string, size: string): string {
  const about = `${size}, about ${printAbout(aboutMs)} at a minute per restart, with the delays`;
  if (onDeploy === undefined) return `${restarts}: ${about}.`;
  const [deadline, latest] = [onDeploy.deadlineMs, onDeploy.latestMs].map(printAbout);
  return (
    `${restarts} by their owners' deploys; what is left after ${deadline} in ${about}. ` +
    `The latest end is ${latest} after the merge.`
  );
}

function summarise(plan: CampaignPlan, zone: TimeOptions): readonly Sentence[] {
  const { moves, namespaces, fewestPossible, clusters, target, before, campaign, leftover } = plan;
  const back = plan.buckets.reduce((sum, each) => sum + each.back, 0);
  const { workloads, ...replicas } = countMigrating({ clusters });
  const batches = clusters.reduce((sum, each) => sum + each.batches, 0);
  const waves = new Set(clusters.map(({ wave }) => wave)).size;
  const least =
    fewestPossible === moves.length
      ? `${moves.length} is the fewest possible`
      : `${fewestPossible} would be the fewest possible`;
  const size = `${count(batches, "batch", "batches")} in ${count(waves, "wave")}`;
  const who = `${count(moves.length, "namespace")} get${moves.length === 1 ? "s" : ""}`;
  return [
    `${who} ${target}, ${back} move back, ${namespaces - moves.length} stay. ${least}.`,
    printRestarts(plan, `${count(workloads, "workload")} restart (${printReplicas(replicas)})`, size),
    ...[printRunSize(plan.counts)].filter((line) => line !== ""),
    `${printNeeds(plan)} ${printStart(plan.start, zone)} Not covered by any stage: ${leftover.length}.`,
    ...(before.length === 0
      ? []
      : [
          `Before it ${before.length === 1 ? "comes" : "come"} ${before.join(", ")}; this counts only what it moves in addition.`,
        ]),
    ...(leftover.length === 0 ? [] : [["  see  ", { command: `meshroll plan ${campaign} --show leftover` }]]),
  ];
}

function printRisks({ blocked, campaign, stage }: CampaignPlan): readonly Sentence[] {
  if (blocked.length === 0) return [];
  const skipped = blocked.filter(({ kind }) => kind === "skipped").length;
  const parts = [
    ...(skipped === 0 ? [] : [`${count(skipped, "workload")} will be skipped`]),
    ...(skipped === blocked.length ? [] : [`${count(blocked.length - skipped, "restart")} may be noticed by an owner`]),
  ];
  const name = stage.name.includes(" ") ? "" : ` --to ${stage.name}`;
  return [[`! ${parts.join(", ")}: see  `, { command: `meshroll plan ${campaign}${name} --show blocked` }]];
}

/** For people: the change of the file, where, how long, and what it needs; tables of at most `width` columns. */
export function printCampaignPlan(
  plan: CampaignPlan,
  before: Spec,
  after: Spec,
  { width, caller, ...zone }: TimeOptions & { readonly width: number; readonly caller: Caller },
): string {
  const { campaign, stage, findings } = plan;
  const place = stage.index === 0 ? "" : ` (${stage.index} of ${stage.of})`;
  const sections = [
    [`${campaign}: ${stage.name}${place}`],
    printFileDiff(before, after),
    printBuckets(plan, width),
    printClusters(plan, width),
    findings.map(({ code, severity, file, line, column, message, help }) => {
      const way = help === undefined ? "" : `\n   = help: ${help}`;
      return `${severity}[${code}]: ${message}\n  --> ${file}:${line}:${column}${way}`;
    }),
    wrapSentences([...(plan.moves.length === 0 ? [] : summarise(plan, zone)), ...printRisks(plan)], caller),
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

function cut(lines: readonly string[]): readonly string[] {
  return lines.length > shown ? [...lines.slice(0, shown), `… ${lines.length - shown} more (-o json has all)`] : lines;
}

/** One list of a plan; moves in rows of at most `width` columns. */
export function printPart(plan: CampaignPlan, part: PlanPart, width: number, zone: TimeOptions = {}): string {
  const print = (why: SkippedFor): string => printWorkloadReason(why, (iso) => printTime(Date.parse(iso), zone));
  const lines: Readonly<Record<PlanPart, () => readonly string[]>> = {
    moves: () => printMoves(plan, width),
    blocked: () =>
      plan.blocked.map(({ cluster, workload, kind, why }) =>
        kind === "skipped"
          ? `✖ ${cluster} ${workload}  skipped: ${print(why)}`
          : `! ${cluster} ${workload}  ${print(why)}`,
      ),
    leftover: () => plan.leftover.map(({ namespace, revision, why }) => `${namespace}  stays on ${revision}: ${why}`),
  };
  const printed = lines[part]();
  const list = printed.length === 0 ? [`${part}: none`] : part === "moves" ? printed : cut(printed);
  // In a pipe each record is one line, for grep; on a terminal it is wrapped.
  return `${list.flatMap((line) => wrapText(line, width)).join("\n")}\n`;
}
