import { type Caller, sayCommands } from "../terminal/called-as.ts";
import type { Sentence } from "../terminal/sentence.ts";
import { wrapText } from "./wrap-text.ts";

/** The label is part of the first word. */
function cutLabel(line: Sentence, margin: number): readonly [string, Sentence] {
  if (typeof line === "string") return [line.slice(0, margin), line.slice(margin)];
  const [first = "", ...rest] = line;
  const words = typeof first === "string" ? first : "";
  return [words.slice(0, margin), [words.slice(margin), ...rest]];
}

/** Wraps a line with a label of `margin` columns; further lines are indented below its text. */
export function wrapLabelled(line: Sentence, margin: number, caller: Caller, width: number): readonly string[] {
  const [label, text] = cutLabel(sayCommands(line, caller), margin);
  return wrapText(text, width - margin).map((each, index) => (index === 0 ? label : " ".repeat(margin)) + each);
}
