import { type Caller, sayCommands } from "../terminal/called-as.ts";
import { printSentence, type Sentence } from "../terminal/sentence.ts";

/** Columns that every terminal has. */
export const columns = 80;

/** Sentences of longer lines are hard to read. */
const mostColumns = 120;

/** Columns of sentences at a terminal of this width; absent = it is none. */
export function chooseProse(width: number = columns): number {
  return Number.isFinite(width) ? Math.min(width, mostColumns) : columns;
}

/** Cut with an ellipsis, so that it takes `width` columns at most. */
export function cutText(text: string, width: number): string {
  const letters = Array.from(text);
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Words of one line, joined again into lines of at most `width` columns; a longer word keeps a line of its own, whole. */
function fillLines(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && Array.from(longer).length > width) {
      lines.push(line.trimEnd());
      line = word;
    } else line = longer;
  }
  return [...lines, line.trimEnd()];
}

/** What stands between two blanks; a command is there to be copied, and is one word, however long. */
function splitWords(sentence: Sentence): readonly string[] {
  if (typeof sentence === "string") return sentence.split(" ");
  return sentence.reduce<readonly string[]>(
    (words, part) => {
      const [first = "", ...rest] = typeof part === "string" ? part.split(" ") : [part.command];
      return [...words.slice(0, -1), `${words.at(-1) ?? ""}${first}`, ...rest];
    },
    [""],
  );
}

function wrapLine(line: Sentence, width: number): readonly string[] {
  const whole = printSentence(line);
  if (Array.from(whole).length <= width) return [whole];
  const indent = " ".repeat(whole.length - whole.trimStart().length);
  const [first = "", ...rest] = fillLines(splitWords(line), width - indent.length - 2);
  return [indent + first, ...rest.map((each) => `${indent}  ${each}`)];
}

/**
 * Lines of at most `width` columns, broken at blanks; what follows a break is indented two further than its line. A word
 * is never broken, and neither is a command.
 */
export function wrapText(sentence: Sentence, width = columns): readonly string[] {
  const lines = typeof sentence === "string" ? sentence.split("\n") : [sentence];
  return lines.flatMap((line) => wrapLine(line, width));
}

/** A line or more for each, with commands as they have to be typed here. */
export function wrapSentences(sentences: readonly Sentence[], caller: Caller, width = columns): readonly string[] {
  return sentences.flatMap((each) => wrapText(sayCommands(each, caller), width));
}
