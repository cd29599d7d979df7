import { type Caller, sayCommands } from "../terminal/called-as.ts";
import { printSentence, type Sentence } from "../terminal/sentence.ts";

/** Columns that every terminal has. */
export const columns = 80;

/** Longer lines are hard to read. */
const mostColumns = 120;

/** Columns for sentences at this terminal width; absent = no terminal. */
export function chooseProse(width: number = columns): number {
  return Number.isFinite(width) ? Math.min(width, mostColumns) : columns;
}

/** Cut with an ellipsis to at most `width` columns. */
export function cutText(text: string, width: number): string {
  const letters = Array.from(text);
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Fills lines of at most `width` columns with words; a longer word has a line of its own. */
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

/** The words of a sentence; a command is one word, because it is copied. */
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
 * Wraps a text at blanks to at most `width` columns; further lines are indented by two. Words and commands are never broken.
 */
export function wrapText(sentence: Sentence, width = columns): readonly string[] {
  const lines = typeof sentence === "string" ? sentence.split("\n") : [sentence];
  return lines.flatMap((line) => wrapLine(line, width));
}

/** One line or more for each, with commands as they are typed here. */
export function wrapSentences(sentences: readonly Sentence[], caller: Caller, width = columns): readonly string[] {
  return sentences.flatMap((each) => wrapText(sayCommands(each, caller), width));
}
