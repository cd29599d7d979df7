import type { ToldAnswers, ToldLine } from "#libs/plan";

import { sayCommand, sayCommands } from "../../terminal/called-as.ts";
import { chooseMarks, makePlain } from "../../text/marks.ts";
import { tellTimes } from "../../text/explain-times.ts";
import type { Reading } from "../../options/reading-options.ts";
import { columns, wrapText } from "../../text/wrap-text.ts";

/** Columns before what an answer says. */
const margin = 13;

/** Text as this reader wants it: times in the zone, ASCII only when asked. */
export function sayText(text: string, { plain, tz, terminal }: Reading): string {
  const told = sayCommands(tellTimes(text, tz === undefined ? {} : { tz }), terminal);
  return plain === true ? makePlain(told) : told;
}

/** Text, and below it what to type: a command is never broken, so that it can be copied. */
export function sayLine({ text, command }: ToldLine, reading: Reading): readonly string[] {
  const typed = command === undefined ? [] : [`  ${sayText(sayCommand(command, reading.terminal), reading)}`];
  return [sayText(text, reading), ...typed];
}

/** One answer under its name; further lines are indented below it. */
export function printAnswer(name: string, lines: readonly string[]): string {
  const text = lines.flatMap((line) => wrapText(line, columns - margin));
  return text.map((line, index) => `  ${(index === 0 ? name : "").padEnd(margin - 3)} ${line}`).join("\n");
}

/** What to type first, what it does below it. */
function sayCommandFirst({ text, command }: ToldLine, reading: Reading): readonly string[] {
  if (command === undefined) return [sayText(text, reading)];
  return [sayText(sayCommand(command, reading.terminal), reading), `  ${sayText(text, reading)}`];
}

/** Where, doing, waiting and otherwise, in the words of every surface. */
export function printFour(answers: ToldAnswers, reading: Reading): readonly string[] {
  const say = (lines: readonly string[]) => lines.map((line) => sayText(line, reading));
  return [
    printAnswer("where", say(answers.where)),
    printAnswer("doing", say(answers.doing)),
    printAnswer(
      "waiting",
      answers.waiting.flatMap((line) => sayLine(line, reading)),
    ),
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
