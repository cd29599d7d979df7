import { printText, type Text, writeText } from "./text.ts";

/**
 * A part of a sentence. Times are separate because readers see them in their zone, and ages because only some surfaces keep
 * them current.
 */
export type TextPart =
  | { readonly text: Text }
  /** ISO. */
  | { readonly time: string }
  | { readonly ageSeconds: number };

/** A sentence for people with its command, separate so that a surface can make it copyable. */
export interface TextLine {
  readonly parts: readonly TextPart[];
  readonly command?: string;
  /** One of several actions for the line before: the effect of `command`. */
  readonly isChoice?: true;
}

/**
 * How a surface prints the parts of a line. Without `age` ages are left out, because an edited message would change with each.
 */
export interface LinePrinter {
  text(text: string): string;
  time(iso: string): string;
  age?(seconds: number): string;
}

/** Strings are words. */
export function writeLine(...parts: readonly (string | Exclude<TextPart, { readonly text: Text }>)[]): TextLine {
  return { parts: parts.map((part) => (typeof part === "string" ? { text: writeText(part) } : part)) };
}

/** Joins consecutive words, so that they are escaped and cut as one text. */
function joinWords(parts: readonly TextPart[]): readonly TextPart[] {
  return parts.reduce<readonly TextPart[]>((joined, part) => {
    const last = joined.at(-1);
    if (last === undefined || !("text" in last) || !("text" in part)) return [...joined, part];
    return [...joined.slice(0, -1), { text: writeText(printText(last.text) + printText(part.text)) }];
  }, []);
}

export function printLine({ parts }: Pick<TextLine, "parts">, printer: LinePrinter): string {
  const shown = printer.age === undefined ? parts.filter((part) => !("ageSeconds" in part)) : parts;
  return joinWords(shown)
    .map((part) => {
      if ("text" in part) return printer.text(printText(part.text));
      if ("time" in part) return printer.time(part.time);
      return printer.age === undefined ? "" : ` (for ${printer.age(part.ageSeconds)})`;
    })
    .join("");
}

/** As in JSON: times in ISO, no ages. */
export function printPlainLine(line: Pick<TextLine, "parts">): string {
  return printLine(line, { text: (text) => text, time: (iso) => iso });
}
