import { ANY, bound, type Branch, JUDGED_BY_REGEX, multiply, text } from "./branch.ts";
import { measureClass, measureEscape, measureGroup, measureQuantifier } from "./pattern-tokens.ts";

interface Cursor {
  readonly pattern: string;
  at: number;
  depth: number;
}

/** A construct that is not analysed here, or no valid pattern. */
class NotUnderstood extends Error {}

/**
 * Splits a pattern into alternatives whose union is exactly what it matches, as far as plain text and `.*` go:
 * `(pay|search)-.*` is `pay-` + any or `search-` + any. The rest becomes an opaque branch, which is slower but correct.
 */
export function listBranches(pattern: string): readonly Branch[] {
  const cursor: Cursor = { pattern, at: 0, depth: 0 };
  try {
    const branches = readAlternatives(cursor);
    return cursor.at === pattern.length ? branches : JUDGED_BY_REGEX;
  } catch (error) {
    if (error instanceof NotUnderstood) return JUDGED_BY_REGEX;
    throw error;
  }
}

function readAlternatives(cursor: Cursor): readonly Branch[] {
  const branches = [...readSequence(cursor)];
  while (peek(cursor) === "|") {
    cursor.at++;
    branches.push(...readSequence(cursor));
  }
  return bound(branches);
}

function readSequence(cursor: Cursor): readonly Branch[] {
  const start = cursor.at;
  let branches: readonly Branch[] = [[]];
  while (!["", "|", ")"].includes(peek(cursor))) branches = multiply(branches, readItem(cursor, cursor.at === start));
  return branches;
}

/** One item with its quantifier, as branches. */
function readItem(cursor: Cursor, isFirst: boolean): readonly Branch[] {
  if (isIdleAnchor(cursor, isFirst)) {
    cursor.at++;
    // `^*` is valid but not analysed.
    if (measureQuantifier(cursor.pattern, cursor.at) > 0) throw new NotUnderstood();
    return [[]];
  }
  const isDot = peek(cursor) === ".";
  const atom = readAtom(cursor);
  const length = measureQuantifier(cursor.pattern, cursor.at);
  const quantifier = cursor.pattern.charAt(cursor.at);
  cursor.at += length;
  if (length === 0) return atom;
  // A second quantifier is an error in RE2.
  if (measureQuantifier(cursor.pattern, cursor.at) > 0) throw new NotUnderstood();
  if (quantifier === "*" && isDot) return [[ANY]];
  return quantifier === "?" ? [...atom, []] : JUDGED_BY_REGEX;
}

/** The whole name is matched, so `^` and `$` at the ends of an alternative change nothing. */
function isIdleAnchor(cursor: Cursor, isFirst: boolean): boolean {
  if (cursor.depth > 0) return false;
  if (peek(cursor) === "^") return isFirst;
  return peek(cursor) === "$" && ["", "|"].includes(cursor.pattern.charAt(cursor.at + 1));
}

function readAtom(cursor: Cursor): readonly Branch[] {
  const { pattern, at } = cursor;
  const char = pattern.charAt(at);
  switch (char) {
    case "(":
      return readGroup(cursor);
    case "[":
      cursor.at += orRefuse(measureClass(pattern, at));
      return JUDGED_BY_REGEX;
    case "\\":
      return readEscape(cursor);
    case "*":
    case "+":
    case "?":
    case "{":
      throw new NotUnderstood();
    default:
      return readText(cursor);
  }
}

function readEscape(cursor: Cursor): readonly Branch[] {
  const escape = measureEscape(cursor.pattern, cursor.at);
  cursor.at += orRefuse(escape?.length);
  return escape?.literal === undefined ? JUDGED_BY_REGEX : [[text(escape.literal)]];
}

/** Plain characters up to the next special one; a quantifier applies to the last of them. */
function readText(cursor: Cursor): readonly Branch[] {
  const { pattern, at } = cursor;
  let end = at + 1;
  if (isPlain(pattern.charAt(at)) && measureQuantifier(pattern, end) === 0) {
    while (isPlain(pattern.charAt(end)) && measureQuantifier(pattern, end + 1) === 0) end++;
  }
  cursor.at = end;
  return isPlain(pattern.charAt(at)) ? [[text(pattern.slice(at, end))]] : JUDGED_BY_REGEX;
}

function readGroup(cursor: Cursor): readonly Branch[] {
  cursor.at += orRefuse(measureGroup(cursor.pattern, cursor.at));
  cursor.depth++;
  const branches = readAlternatives(cursor);
  if (peek(cursor) !== ")") throw new NotUnderstood();
  cursor.at++;
  cursor.depth--;
  return branches;
}

/** Printable ASCII without a special meaning. Other characters are left to the engine. */
function isPlain(char: string): boolean {
  return char >= " " && char <= "~" && !"\\.+*?()|[{^$".includes(char);
}

function peek(cursor: Cursor): string {
  return cursor.pattern.charAt(cursor.at);
}

function orRefuse(length: number | undefined): number {
  if (length === undefined) throw new NotUnderstood();
  return length;
}
