import { lookUp } from "#libs/input";
import type { KeyLayout } from "../source/layout.ts";
import type { Span } from "../source/source.ts";

/** The place in the source of a part of a key's value. With quotes and escapes the two have different lengths. */
export function spanInKey(text: string, key: KeyLayout, index: number, length: number): Span {
  if (key.quote === "") return { start: key.span.start + index, end: key.span.start + index + length };
  const start = walkQuoted(text, key, key.span.start + 1, index);
  return { start, end: walkQuoted(text, key, start, length) };
}

/** Advances a source offset inside quotes by `units` UTF-16 units of the value. */
function walkQuoted(text: string, key: KeyLayout, from: number, units: number): number {
  let at = from;
  for (let left = units; left > 0 && at < key.span.end - 1; left--)
    at += key.quote === "'" ? stepSingle(text, at) : stepDouble(text, at);
  return at;
}

function stepSingle(text: string, at: number): number {
  return text.startsWith("''", at) ? 2 : 1;
}

const ESCAPED_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function stepDouble(text: string, at: number): number {
  return text.charAt(at) === "\\" ? 2 + (lookUp(ESCAPED_DIGITS, text.charAt(at + 1)) ?? 0) : 1;
}
