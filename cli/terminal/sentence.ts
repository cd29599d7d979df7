/** What to type: a surface prints it as it has to be typed there, and no line break goes through it. */
export interface CommandPart {
  readonly command: string;
}

/** What a person reads: words alone, or one line of words and commands. */
export type Sentence = string | readonly (string | CommandPart)[];

/** As JSON carries it. */
export function printSentence(sentence: Sentence): string {
  if (typeof sentence === "string") return sentence;
  return sentence.map((part) => (typeof part === "string" ? part : part.command)).join("");
}

/** The same sentence, further in; words of several lines each. */
export function indentSentence(sentence: Sentence, indent = "  "): Sentence {
  if (typeof sentence !== "string") return [indent, ...sentence];
  return sentence
    .split("\n")
    .map((line) => `${indent}${line}`)
    .join("\n");
}
