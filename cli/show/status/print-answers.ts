import type { ToldAnswers } from "#libs/plan";
import { printLine, type TextLine } from "#libs/wording";

import { chooseMarks, makePlain } from "../../text/marks.ts";
import { printAge, printTime } from "../../text/print-time.ts";
import type { Reading } from "../../options/reading-options.ts";
import { chooseProse, wrapSentences } from "../../text/wrap-text.ts";
import { indentSentence, type Sentence, splitLastCommand } from "../../terminal/sentence.ts";

/** Columns before what an answer says. */
const margin = 13;

/** A time for this reader; ISO in. */
export function sayTime(iso: string, { tz }: Pick<Reading, "tz">): string {
  return printTime(Date.parse(iso), tz === undefined ? {} : { tz });
}

/** A text for this reader: ASCII where requested. */
export function sayText(text: string, { plain }: Pick<Reading, "plain">): string {
  return plain === true ? makePlain(text) : text;
}

/** A sentence with times in the reader's zone: `2026-11-20T13:26:00.000Z` becomes `2026-11-20 14:26:00 CET`. */
export function saySentence(line: TextLine, reading: Reading): string {
  const age = (seconds: number): string => printAge(seconds * 1000);
  return sayText(printLine(line, { text: (text) => text, time: (iso) => sayTime(iso, reading), age }), reading);
}

/** A sentence, and below it the command, which is never broken, so that it can be copied. */
function sayLine(line: TextLine, reading: Reading): readonly Sentence[] {
  const { command, isChoice } = line;
  if (isChoice === true) return sayCommandFirst(line, reading).map((each) => indentSentence(each));
  const typed = command === undefined ? [] : [["  ", { command: sayText(command, reading) }]];
  return [saySentence(line, reading), ...typed];
}

/** One answer under its name; further lines are indented. */
export function printAnswer(
  name: string,
  lines: readonly Sentence[],
  { terminal, width }: Pick<Reading, "terminal" | "width">,
): string {
  const text = wrapSentences(lines, terminal, chooseProse(width) - margin);
  return text.map((line, index) => `  ${(index === 0 ? name : "").padEnd(margin - 3)} ${line}`).join("\n");
}

/** The command first, its effect below. */
function sayCommandFirst(line: TextLine, reading: Reading): readonly Sentence[] {
  const { command } = line;
  if (command === undefined) return [saySentence(line, reading)];
  return [[{ command: sayText(command, reading) }], indentSentence(splitLastCommand(saySentence(line, reading)))];
}

/** Where, rollouts, waiting and next, in the words of all surfaces. */
export function printFour(answers: ToldAnswers, reading: Reading): readonly string[] {
  const answer = (name: string, lines: readonly TextLine[]): string =>
    printAnswer(
      name,
      lines.flatMap((line) => sayLine(line, reading)),
      reading,
    );
  return [
    answer("where", answers.where),
    answer("rollouts", answers.rollouts),
    answer("waiting", answers.waiting),
    answer("next", answers.next),
  ];
}

/** How to stop, and how to roll back. */
export function printStopAndUndo(answers: ToldAnswers, reading: Reading): readonly string[] {
  return [
    printAnswer("stop", sayCommandFirst(answers.stop, reading), reading),
    printAnswer("undo", sayCommandFirst(answers.undo, reading), reading),
  ];
}

/** The mark of a state. */
export function markState(state: string, reading: Reading): string {
  const { done, failed, migrating, idle } = chooseMarks(reading);
  if (reading.plain === true) return state;
  const mark = state === "Completed" ? done : state === "Failed" ? failed : state === "InProgress" ? migrating : idle;
  return `${mark} ${state}`;
}
