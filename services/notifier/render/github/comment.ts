import { escapeMarkdown, linkMarkdown, quoteMarkdown } from "#libs/scm";
import { addressPage } from "#libs/input";
import { type CampaignStatus, parseNameInFleet, parseWorkloadName } from "#libs/plan";
import { groupReasons, printPlainLine, printText, type ReasonGroup, type TextLine } from "#libs/wording";

import type { RunReport } from "../../facts/run-facts.ts";
import { printDuration } from "../duration.ts";
import { answerFive, countRun, findCampaign, nameSuccessor, nameRun, nameState } from "../five-answers.ts";
import { drawBar } from "../progress-bar.ts";

const shownReasons = 20;

/** How many workloads of each reason are named. */
const named = 10;

function collectSkipped({ facts, run }: RunReport): readonly Omit<ReasonGroup, "code">[] {
  return facts.end?.reasons ?? groupReasons(run?.skipped ?? [], named);
}

function showLine(line: TextLine): string {
  const told = escapeMarkdown(printPlainLine(line), 600);
  return line.command === undefined ? told : `${quoteMarkdown(line.command, 200)}: ${told}`;
}

function showList(name: string, lines: readonly string[]): string {
  const [only = ""] = lines;
  return lines.length === 1
    ? `- **${name}**: ${only}`
    : `- **${name}**:${lines.map((line) => `\n  - ${line}`).join("")}`;
}

/** What was measured, with value and limit in the gate's own sentence. */
function showGates({ gates }: CampaignStatus): readonly string[] {
  if (gates.length === 0) return [];
  const rows = gates.map(({ name, status, why }) => {
    const found = why === undefined ? "" : escapeMarkdown(printText(why), 400);
    return `| ${quoteMarkdown(name, 60)} | ${status === "noData" ? "no data" : status} | ${found} |`;
  });
  return ["", "| gate | result | why |", "|---|---|---|", ...rows];
}

function showBake({ bake }: CampaignStatus): readonly string[] {
  if (bake === undefined) return [];
  const far = `${printDuration(bake.healthySeconds * 1000)} of ${printDuration(bake.neededSeconds * 1000)} seen healthy`;
  const paused =
    bake.paused === undefined ? "" : `; it is interrupted: ${escapeMarkdown(printText(bake.paused.message), 200)}`;
  return [`- **Bake**: ${far}${paused}`];
}

/** A workload, `cluster:namespace/Kind/name`, that leads to its namespace on the page. */
function linkWorkload({ status }: RunReport, name: string): string {
  const { namespace } = parseWorkloadName(parseNameInFleet(name).workload);
  return linkMarkdown(addressPage(status?.page, { code: "Namespace", name: namespace }), quoteMarkdown(name, 120));
}

function showSkipped(report: RunReport): readonly string[] {
  const reasons = collectSkipped(report);
  const total = countRun(report).skipped;
  if (reasons.length === 0) return [];
  const rows = reasons.slice(0, shownReasons).map(({ reason, count, workloads }) => {
    const names = workloads.slice(0, 10).map((name) => linkWorkload(report, name));
    const more = count > names.length ? ", …" : "";
    return `| ${count} | ${escapeMarkdown(reason, 200)} | ${names.join(", ")}${more} |`;
  });
  const title = `<details><summary>${total} not moved, by reason</summary>`;
  return ["", title, "", "| workloads | reason | the first |", "|--:|---|---|", ...rows, "", "</details>"];
}

/** Differences between the list of the pull request and what was done (rules 10.2). */
function showDifferences({ facts: { end } }: RunReport): readonly string[] {
  const { differences } = end ?? {};
  if (differences === undefined) return [];
  if (differences.length === 0) return ["", "What moved is exactly the list that the pull request named."];
  const rows = differences.map(({ why, count, workloads }) => {
    const names = workloads.slice(0, 10).map((name) => quoteMarkdown(name, 120));
    return `| ${count} | ${escapeMarkdown(why, 80)} | ${names.join(", ")}${count > names.length ? ", …" : ""} |`;
  });
  return ["", "Against the list of the pull request:", "", "| workloads | why | the first |", "|--:|---|---|", ...rows];
}

function showCounts(report: RunReport): string {
  const successor = nameSuccessor(report);
  if (successor !== undefined) return successor;
  const { migrated, idle, total, migrating, waiting, skipped, parts } = countRun(report);
  const open = report.facts.end === undefined ? ` · ${migrating} migrating · ${waiting} waiting` : "";
  const unproven = idle === 0 ? "" : ` · ${idle} idle`;
  const bar = `\`${drawBar(migrated, total)}\` **${migrated} of ${total}** workloads run what was merged`;
  return `${bar}${unproven}${open} · ${skipped} skipped${parts === "" ? "" : ` (${parts})`}`;
}

function nameTitle(report: RunReport): string {
  const { facts, stage } = report;
  const ended = facts.end === undefined ? "" : ` since ${escapeMarkdown(facts.end.at)}`;
  const run = `Run ${quoteMarkdown(facts.id)}`;
  const of = stage?.stage === undefined ? "" : ` (${escapeMarkdown(nameRun(report), 120)})`;
  return `### ${run}${of} is ${nameState(report)}${ended}`;
}

function linkPage({ facts, status }: RunReport): string {
  const address = addressPage(status?.page, { code: "Run", id: facts.id });
  return address === undefined ? "" : `<a href="${address}">This run on the page</a>. `;
}

/** The one status comment of a merged pull request: the five answers, and what did not move. Edited in place. */
export function renderComment(report: RunReport): string {
  const { silentSince } = report;
  const { where, rollouts, waiting, next, stop, undo } = answerFive(report);
  const campaign = findCampaign(report);
  const silent =
    silentSince === undefined ? [] : ["", `> No status from the planner since ${escapeMarkdown(silentSince)}.`];
  return [
    nameTitle(report),
    ...silent,
    "",
    showCounts(report),
    "",
    showList("Where", where.length === 0 ? ["not known yet"] : where.map(showLine)),
    showList("Rollouts", rollouts.map(showLine)),
    showList("Waiting for", waiting.map(showLine)),
    showList("If no one acts", next.map(showLine)),
    `- **Stop**: ${showLine(stop)}`,
    `- **Undo**: ${showLine(undo)}`,
    ...(campaign === undefined ? [] : [...showBake(campaign), ...showGates(campaign)]),
    ...showDifferences(report),
    ...showSkipped(report),
    "",
    `<sub>${linkPage(report)}This comment is kept up to date until the run ends, and is then its record. ` +
      "<code>/meshroll help</code> lists what can be asked for in a comment.</sub>",
  ].join("\n");
}
