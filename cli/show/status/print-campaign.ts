import type { CampaignStatus, GateStatus, ToldAnswers } from "#libs/plan";
import { printText, printWorkloadReason } from "#libs/wording";

import { chooseMarks } from "../../text/marks.ts";
import { markState, printAnswer, printFour, printStopAndUndo, sayText, sayTime } from "./print-answers.ts";
import type { Reading } from "../../options/reading-options.ts";
import { printAge } from "../../text/print-time.ts";
import { printFailureCount } from "./print-failures.ts";
import { printRollbackState } from "./print-rollback-state.ts";
import { printSkipped } from "./print-skipped.ts";
import { printStops } from "./print-stops.ts";
import { chooseProse, wrapText } from "../../text/wrap-text.ts";
import type { Sentence } from "../../terminal/sentence.ts";

function printHead(status: CampaignStatus, reading: Reading): string {
  const { name, replaces, target, stage, state, runs, rollback } = status;
  const at = stage === undefined ? "every stage is complete" : `stage ${stage.index}/${stage.of} ${stage.name}`;
  const run = runs.length === 0 ? [] : [`run ${runs.join(", ")}`];
  const arrow = rollback === undefined ? "→" : "←";
  const parts = [name, `${replaces.join(", ")} ${arrow} ${target}`, at, markState(state, reading), ...run];
  const back = rollback === undefined ? [] : [printRollbackState(rollback)];
  return [parts.join("  "), ...back]
    .flatMap((line) => wrapText(sayText(line, reading), chooseProse(reading.width)))
    .join("\n");
}

function printGate(gate: GateStatus, reading: Reading): string {
  const marks = chooseMarks(reading);
  const mark = { pass: marks.done, fail: marks.failed, noData: "?", pending: marks.more }[gate.status];
  const why = gate.why === undefined ? "nothing measured yet" : printText(gate.why);
  return `${mark} ${gate.name}: ${why}`;
}

function printBake({ bake }: CampaignStatus, reading: Reading): readonly string[] {
  if (bake === undefined) return [];
  const told = `${printAge(bake.healthySeconds * 1000)} of ${printAge(bake.neededSeconds * 1000)} healthy`;
  const end = bake.endsAt === undefined ? "" : `, ends at ${sayTime(bake.endsAt, reading)}`;
  return [`${told}${end}${bake.paused === undefined ? "" : `; ${printText(bake.paused.message)}`}`];
}

/** The used part of the limit: failures that a resume accepted, or that earlier stages left, are excluded. */
function printLimit({ count, counted, allowed }: CampaignStatus["failures"]): string {
  if (allowed === undefined) return "";
  const earlier = count - counted;
  const others = earlier > 0 ? `; ${earlier} earlier ${earlier === 1 ? "one" : "ones"} excluded` : "";
  return `; ${counted} new failure${counted === 1 ? "" : "s"} (limit ${allowed})${others}`;
}

/** What an earlier stage left, so that it is not forgotten while the next one runs. */
function printNotRetried({ run, stage, count }: NonNullable<CampaignStatus["failures"]["notRetried"]>[number]): string {
  return `${count} failed in ${stage === undefined ? "" : `${stage}, `}run ${run}, not retried`;
}

function printFailures({ failures, name }: CampaignStatus, reading: Reading): readonly Sentence[] {
  if (failures.count === 0) return [];
  const first = failures.items
    .slice(0, 3)
    .map((each) => `  ${each.workload}  ${printWorkloadReason(each, (at) => sayTime(at, reading))}`);
  return [
    `${printFailureCount(failures)}${printLimit(failures)}`,
    ...(failures.notRetried ?? []).map(printNotRetried),
    ...first,
    ["  ", { command: `meshroll get failures ${name}` }],
  ];
}

function printPull({ pull }: CampaignStatus): readonly string[] {
  if (pull === undefined) return [];
  const checks = pull.checks === undefined ? "" : `, plan ${pull.checks.plan}, approvals ${pull.checks.approvals}`;
  return [`#${pull.number} for ${pull.stage} is ${pull.state}${checks}`, `  ${pull.url}`];
}

/** A section without lines is left out. */
function section(name: string, lines: readonly Sentence[], reading: Reading): readonly string[] {
  return lines.length === 0
    ? []
    : [
        printAnswer(
          name,
          lines.map((line) => (typeof line === "string" ? sayText(line, reading) : line)),
          reading,
        ),
      ];
}

/** One campaign for a person: the five answers, and the figures behind them. */
export function printCampaign(status: CampaignStatus, answers: ToldAnswers, reading: Reading): string {
  const told = new Set(answers.waiting.map(({ command }) => command));
  // A stop that is named as a wait is not repeated.
  const others = status.stops.filter(({ command, overdue }) => overdue || !told.has(command));
  const leftOut = status.leftOut.map(
    ({ pattern, reason, until }) =>
      `${pattern}${until === undefined ? "" : ` until ${sayTime(until, reading)}`}: ${reason}`,
  );
  const details = [
    ...section("bake", printBake(status, reading), reading),
    ...section(
      "gates",
      status.gates.map((gate) => printGate(gate, reading)),
      reading,
    ),
    ...section("failed", printFailures(status, reading), reading),
    ...section("skipped", printSkipped(status.skipped, ` ${status.name}`), reading),
    ...section("left out", leftOut, reading),
    ...section("pull", printPull(status), reading),
    ...section("stopped", printStops({ stops: others }, reading), reading),
  ];
  const parts = [
    printHead(status, reading),
    printFour(answers, reading).join("\n"),
    ...(details.length > 0 ? [details.join("\n")] : []),
    printStopAndUndo(answers, reading).join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}
