import type { Block, Content } from "#libs/chat";
import { addressPage } from "#libs/input";
import type { CampaignStatus, ToldAnswers } from "#libs/plan";
import { printText, type TextLine } from "#libs/wording";

import type { RunReport } from "../../facts/run-facts.ts";
import { printDuration } from "../duration.ts";
import {
  answerFive,
  countRun,
  findCampaign,
  isOver,
  nameSuccessor,
  nameRun,
  nameState,
  nameSubject,
} from "../five-answers.ts";
import {
  clipHeader,
  clipLines,
  escapeMrkdwn,
  linkMrkdwn,
  printMrkdwnTime,
  quoteMrkdwn,
  printMrkdwnLine,
} from "../mrkdwn.ts";
import { drawBar } from "../progress-bar.ts";

/** Slack's limit of a field is 2,000 characters. */
const mostField = 1_990;

function showCounts(report: RunReport): string {
  const successor = nameSuccessor(report);
  if (successor !== undefined) return successor;
  const { migrated, idle, total, migrating, waiting, skipped, parts: of } = countRun(report);
  const parts = [
    [idle, "idle"],
    [migrating, "migrating"],
    [waiting, "waiting"],
    [skipped, "skipped"],
  ] as const;
  const rest = parts.flatMap(([count, word]) => (count === 0 ? [] : [` · ${count} ${word}`])).join("");
  return `${quoteMrkdwn(drawBar(migrated, total))} ${migrated} of ${total} workloads${of === "" ? "" : ` (${of})`}${rest}`;
}

function showLine(line: TextLine): string {
  const { command, isChoice } = line;
  if (command === undefined) return printMrkdwnLine(line);
  const [what, how] = [printMrkdwnLine(line), quoteMrkdwn(command, 200)];
  // Of several possible actions, readers choose by the command, so it comes first.
  return isChoice === true ? `• ${how}: ${what}` : `${what}: ${how}`;
}

/** The command comes first, for a person in a hurry. */
function showCommand(word: string, line: TextLine): string {
  const { command } = line;
  return `*${word}* ${command === undefined ? "" : `${quoteMrkdwn(command, 200)}: `}${printMrkdwnLine(line)}`;
}

function showField(name: string, lines: readonly string[]): string {
  return clipLines([`*${name}*`, ...lines], mostField);
}

const marks = { pass: ":white_check_mark: passed", fail: ":x: failed", noData: ":grey_question: no data" } as const;

/** Whole minutes, so that the message changes at most once a minute. */
function floorMinutes(seconds: number): number {
  return Math.floor(seconds / 60);
}

function showGates({ gates, bake }: CampaignStatus): readonly string[] {
  const said = gates.map(({ name, status, why }) => {
    const words = status === "pending" ? "not judged yet" : marks[status];
    return `${quoteMrkdwn(name, 60)} ${words}${why === undefined ? "" : `: ${escapeMrkdwn(printText(why), 600)}`}`;
  });
  if (bake === undefined) return said;
  const far = `${printDuration(floorMinutes(bake.healthySeconds) * 60_000)} of ${printDuration(bake.neededSeconds * 1000)}`;
  return [
    `bake: ${far}${bake.paused === undefined ? "" : `, interrupted: ${escapeMrkdwn(printText(bake.paused.message), 600)}`}`,
    ...said,
  ];
}

function showAnswers({ rollouts, waiting, next }: ToldAnswers, campaign: CampaignStatus | undefined): Block {
  const gates = campaign === undefined ? [] : showGates(campaign);
  const shown = gates.length === 0 ? [] : [showField("Bake and gates", gates)];
  return {
    kind: "fields",
    fields: [
      showField("Rollouts", rollouts.map(printMrkdwnLine)),
      showField("Waiting for", waiting.map(showLine)),
      showField("If no one acts", next.map(showLine)),
      ...shown,
    ],
  };
}

function linkPage({ facts, status }: RunReport): readonly string[] {
  const address = addressPage(status?.page, { code: "Run", id: facts.id });
  return address === undefined ? [] : [linkMrkdwn(address, "page")];
}

/** When the run began and ended, and since when the planner is silent. */
function showTimes({ facts, run, silentSince }: RunReport): readonly string[] {
  const started = facts.startedAt ?? run?.startedAt;
  return [
    ...(started === undefined ? [] : [`started ${printMrkdwnTime(started)}`]),
    ...(facts.end === undefined ? [] : [`ended ${printMrkdwnTime(facts.end.at)}`]),
    ...(silentSince === undefined
      ? []
      : [`:warning: no status from the planner since ${printMrkdwnTime(silentSince)}`]),
  ];
}

function showContext(report: RunReport): Block {
  const { facts, run } = report;
  const author = facts.author ?? run?.author;
  const [name, subject] = [nameRun(report), nameSubject(report)];
  const parts = [
    `run ${quoteMrkdwn(facts.id)}`,
    ...(name === subject ? [] : [escapeMrkdwn(subject, 150)]),
    ...(author === undefined ? [] : [`merged by ${escapeMrkdwn(author, 60)}`]),
    ...linkPage(report),
    ...showTimes(report),
  ];
  return { kind: "context", text: parts.join(" · ") };
}

/** The run's own message with its newest state, edited in place. */
export function renderRunRoot(report: RunReport): Content {
  const answers = answerFive(report);
  const { migrated, total } = countRun(report);
  const [name, state] = [nameRun(report), nameState(report)];
  // A successor is the state already.
  const told = nameSuccessor(report) ?? `${state}, ${migrated} of ${total} workloads run what was merged`;
  const text = `${escapeMrkdwn(name, 150)}: ${told}.`;
  return {
    text,
    blocks: [
      { kind: "header", text: `${clipHeader(name, 110)} · ${state}` },
      { kind: "section", text: clipLines([showCounts(report), ...answers.where.map(printMrkdwnLine)], 3000) },
      ...(isOver(report) ? [] : [showAnswers(answers, findCampaign(report))]),
      { kind: "section", text: [showCommand("Stop", answers.stop), showCommand("Undo", answers.undo)].join("\n") },
      showContext(report),
    ],
  };
}
