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

function measureIndent(text: string): number {
  return text.length - text.trimStart().length;
}

function wrapWords(line: string, width: number): readonly string[] {
  if (Array.from(line).length <= width) return [line];
  const indent = " ".repeat(measureIndent(line));
  const [first = "", ...rest] = fillLines(line.split(" "), width - indent.length - 2);
  return [indent + first, ...rest.map((each) => `${indent}  ${each}`)];
}

/** Words next to a command that stands on its own line: without the marks that set it apart in one. */
function trimAround(text: string): string {
  return text.replace(/^[\s`;,.]+/u, "").replace(/[\s`]+$/u, "");
}

/** Words next to each other are one text. */
function joinWords(parts: Exclude<Sentence, string>): Exclude<Sentence, string> {
  return parts.reduce<Exclude<Sentence, string>>((joined, part) => {
    const last = joined.at(-1);
    if (typeof part !== "string" || typeof last !== "string") return [...joined, part];
    return [...joined.slice(0, -1), last + part];
  }, []);
}

/**
 * Each command on a line of its own, so that it can be copied whole; below words it is indented by two, and so are the words
 * after it.
 */
function placeCommands(parts: Exclude<Sentence, string>, width: number): readonly string[] {
  const indent = " ".repeat(measureIndent(printSentence(parts)));
  let hasText = false;
  let hasCommand = false;
  return joinWords(parts).flatMap((part) => {
    if (typeof part !== "string") {
      hasCommand = true;
      return [`${indent}${hasText ? "  " : ""}${part.command}`];
    }
    const text = trimAround(part);
    if (text === "") return [];
    const deeper = hasCommand && !hasText ? "  " : "";
    hasText ||= !hasCommand;
    return wrapWords(`${indent}${deeper}${text}`, width);
  });
}

/**
 * Wraps a text at blanks to at most `width` columns; further lines are indented by two. Words and commands are never broken,
 * and a command has a line of its own.
 */
export function wrapText(sentence: Sentence, width = columns): readonly string[] {
  if (typeof sentence === "string") return sentence.split("\n").flatMap((line) => wrapWords(line, width));
  return placeCommands(sentence, width);
}

/** One line or more for each, with commands as they are typed here. */
export function wrapSentences(sentences: readonly Sentence[], caller: Caller, width = columns): readonly string[] {
  return sentences.flatMap((each) => wrapText(sayCommands(each, caller), width));
}
