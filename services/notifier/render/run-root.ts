import type { Block, Content } from "#libs/chat";
import type { BucketStatus } from "#libs/plan";

import type { RunSight } from "../run-facts.ts";
import {
  answerFive,
  type Command,
  countRun,
  type FiveAnswers,
  isOver,
  nameHeir,
  nameRun,
  nameState,
  type WaitAnswer,
} from "./five-answers.ts";
import { clipHeader, clipLines, escapeMrkdwn, printMrkdwnTime, quoteMrkdwn } from "./mrkdwn.ts";
import { drawBar } from "./progress-bar.ts";

const shownBuckets = 4;
const shownWaits = 3;

function showCounts(sight: RunSight): string {
  const heir = nameHeir(sight);
  if (heir !== undefined) return heir;
  const { arrived, total, moving, waiting, aside } = countRun(sight);
  const parts = [
    [moving, "moving"],
    [waiting, "waiting"],
    [aside, "aside"],
  ] as const;
  const rest = parts.flatMap(([count, word]) => (count === 0 ? [] : [` · ${count} ${word}`])).join("");
  return `${quoteMrkdwn(drawBar(arrived, total))} ${arrived} of ${total} workloads${rest}`;
}

function showBucket({ bucket, shares, namespaces }: BucketStatus): string {
  const parts = shares.map(
    ({ revision, asked, actual }) => `${quoteMrkdwn(revision, 60)} asked ${asked} %, is ${actual} %`,
  );
  return `${quoteMrkdwn(bucket, 80)} (${namespaces} namespaces): ${parts.slice(0, 4).join(", ")}`;
}

function showWait({ message, owner, until, command, scopes }: WaitAnswer): string {
  const times = scopes > 1 ? ` (${scopes} clusters)` : "";
  const deadline = until === undefined ? "" : `, until ${printMrkdwnTime(until)}`;
  const next = command === undefined ? "" : `: ${quoteMrkdwn(command, 150)}`;
  return `${escapeMrkdwn(message, 200)}${times}${deadline}. ${escapeMrkdwn(owner, 60)}${next}`;
}

function listOrNothing(lines: readonly string[], none: string, shown: number): string {
  if (lines.length === 0) return none;
  const more = lines.length > shown ? [`… and ${lines.length - shown} more`] : [];
  return [...lines.slice(0, shown), ...more].join("\n");
}

function showCommand(word: string, { command, effect }: Command): string {
  return command === "" ? `*${word}* ${effect}` : `*${word}* ${quoteMrkdwn(command, 150)}: ${escapeMrkdwn(effect)}`;
}

function showAnswers({ doing, waitingFor, otherwise }: FiveAnswers): Block {
  const moving = doing.map(({ cluster, workloads }) => `${quoteMrkdwn(cluster, 60)}: ${workloads} workloads rolling`);
  return {
    kind: "fields",
    fields: [
      `*Doing*\n${listOrNothing(moving, "nothing moves now", 6)}`,
      `*Waiting for*\n${listOrNothing(waitingFor.map(showWait), "nobody", shownWaits)}`,
      `*If nobody acts*\n${escapeMrkdwn(otherwise === "" ? "not known yet" : otherwise, 300)}`,
    ],
  };
}

function showContext({ facts, run, silentSince }: RunSight): Block {
  const author = facts.author ?? run?.author;
  const started = facts.startedAt ?? run?.startedAt;
  const parts = [
    `run ${quoteMrkdwn(facts.id)}`,
    ...(author === undefined ? [] : [`merged by ${escapeMrkdwn(author, 60)}`]),
    ...(started === undefined ? [] : [`started ${printMrkdwnTime(started)}`]),
    ...(facts.end === undefined ? [] : [`ended ${printMrkdwnTime(facts.end.at)}`]),
    ...(silentSince === undefined ? [] : [`:warning: no word from the planner since ${printMrkdwnTime(silentSince)}`]),
  ];
  return { kind: "context", text: parts.join(" · ") };
}

/** The root message of a run: where it stands, always the newest state. Edited in place, never repeated. */
export function renderRunRoot(sight: RunSight): Content {
  const answers = answerFive(sight);
  const { arrived, total } = countRun(sight);
  const counts = nameHeir(sight) ?? `${arrived} of ${total} workloads run what was merged`;
  const [name, state] = [nameRun(sight), nameState(sight)];
  const where = answers.where.slice(0, shownBuckets).map(showBucket);
  const text = `${escapeMrkdwn(name, 150)}: ${state}, ${counts}.`;
  return {
    text,
    blocks: [
      { kind: "header", text: `${clipHeader(name, 120)} · ${state}` },
      { kind: "section", text: clipLines([showCounts(sight), ...where], 3000) },
      ...(isOver(sight) ? [] : [showAnswers(answers)]),
      { kind: "section", text: [showCommand("Stop", answers.stop), showCommand("Undo", answers.undo)].join("\n") },
      showContext(sight),
    ],
  };
}
