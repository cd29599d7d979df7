import type { ToldAnswers } from "#libs/plan";
import { printLine, type TextLine } from "#libs/wording";

import { sayCommand, sayCommands } from "../../terminal/called-as.ts";
import { chooseMarks, makePlain } from "../../text/marks.ts";
import { printAge, printTime } from "../../text/print-time.ts";
import type { Reading } from "../../options/reading-options.ts";
import { columns, wrapText } from "../../text/wrap-text.ts";

/** Columns before what an answer says. */
const margin = 13;

/** A time as this reader wants it; ISO in. */
export function sayTime(iso: string, { tz }: Pick<Reading, "tz">): string {
  return printTime(Date.parse(iso), tz === undefined ? {} : { tz });
}

/** Text as this reader wants it: ASCII only when asked. */
export function sayText(text: string, { plain, terminal }: Reading): string {
  const told = sayCommands(text, terminal);
  return plain === true ? makePlain(told) : told;
}

/** A sentence with its times in the reader's zone: `2026-11-20T13:26:00.000Z` reads `2026-11-20 14:26:00 CET`. */
export function saySentence(line: TextLine, reading: Reading): string {
  const age = (seconds: number): string => printAge(seconds * 1000);
  return sayText(printLine(line, { text: (text) => text, time: (iso) => sayTime(iso, reading), age }), reading);
}

/** What to type, as it has to be typed here. */
export function sayTyped(command: string, reading: Reading): string {
  return sayText(sayCommand(command, reading.terminal), reading);
}

/** A sentence, and below it what to type: a command is never broken, so that it can be copied. */
function sayLine(line: TextLine, reading: Reading): readonly string[] {
  const { command } = line;
  const typed = command === undefined ? [] : [`  ${sayTyped(command, reading)}`];
  return [saySentence(line, reading), ...typed];
}

/** One answer under its name; further lines are indented below it. */
export function printAnswer(name: string, lines: readonly string[]): string {
  const text = lines.flatMap((line) => wrapText(line, columns - margin));
  return text.map((line, index) => `  ${(index === 0 ? name : "").padEnd(margin - 3)} ${line}`).join("\n");
}

/** What to type first, what it does below it. */
function sayCommandFirst(line: TextLine, reading: Reading): readonly string[] {
  const { command } = line;
  if (command === undefined) return [saySentence(line, reading)];
  return [sayTyped(command, reading), `  ${saySentence(line, reading)}`];
}

/** Where, doing, waiting and otherwise, in the words of every surface. */
export function printFour(answers: ToldAnswers, reading: Reading): readonly string[] {
  const say = (lines: readonly TextLine[]) => lines.flatMap((line) => sayLine(line, reading));
  return [
    printAnswer("where", say(answers.where)),
    printAnswer("doing", say(answers.doing)),
    printAnswer("waiting", say(answers.waiting)),
    printAnswer("otherwise", say(answers.otherwise)),
  ];
}

/** How to stop, and how to roll back. */
export function printStopAndUndo(answers: ToldAnswers, reading: Reading): readonly string[] {
  return [
    printAnswer("stop", sayCommandFirst(answers.stop, reading)),
    printAnswer("undo", sayCommandFirst(answers.undo, reading)),
  ];
}

/** The mark of a state that a person looks for. */
export function markState(state: string, reading: Reading): string {
  const { done, failed, migrating, idle } = chooseMarks(reading);
  if (reading.plain === true) return state;
  const mark = state === "Completed" ? done : state === "Failed" ? failed : state === "InProgress" ? migrating : idle;
  return `${mark} ${state}`;
}
