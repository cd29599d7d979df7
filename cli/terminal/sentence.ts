/** A command in a text: printed as it is typed on that surface, and never broken. */
export interface CommandPart {
  readonly command: string;
}

/** A text for people: words, or one line of words and commands. */
export type Sentence = string | readonly (string | CommandPart)[];

/** As in JSON. */
export function printSentence(sentence: Sentence): string {
  if (typeof sentence === "string") return sentence;
  return sentence.map((part) => (typeof part === "string" ? part : part.command)).join("");
}

/** The same text, indented. */
export function indentSentence(sentence: Sentence, indent = "  "): Sentence {
  if (typeof sentence !== "string") return [indent, ...sentence];
  return sentence
    .split("\n")
    .map((line) => `${indent}${line}`)
    .join("\n");
}

/** A sentence that ends with a command, as the planner's answers and effects do: the command is printed as one, unbroken. */
export function splitLastCommand(text: string): Sentence {
  const [, words, command] = /^([^]*: )((?:kubectl|meshroll) .+)$/u.exec(text) ?? [];
  return words === undefined || command === undefined ? text : [words, { command }];
}
