import { type JsonValue, query } from "jsonpath-rfc9535";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** One piece of a template in kubectl's `-o jsonpath=`. */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "path"; readonly path: string }
  /** `{range PATH} … {end}`. */
  | { readonly kind: "range"; readonly path: string; readonly pieces: readonly Piece[] };

function refuse(template: string, why: string): Refusal {
  const help = "as in  -o jsonpath='{.items[*].name}'  or  '{range .items[*]}{.name}{\"\\n\"}{end}'";
  return new Refusal(exitCodes.usage, `-o jsonpath=${template}: ${why}`, help);
}

/** The index after the brace that closes the one at `from`; braces in quotes do not count. -1 = none. */
function findClose(template: string, from: number): number {
  let quote = "";
  for (let at = from; at < template.length; at++) {
    const letter = template.charAt(at);
    if (quote !== "" && letter === "\\") at++;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === "}") return at;
  }
  return -1;
}

/** The parts in braces and around them, in order. */
function splitTemplate(template: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  // kubectl also takes a path without braces.
  if (/^[.$@[]/u.test(template) && !template.includes("{")) return [{ text: template, isCode: true }];
  const parts: { readonly text: string; readonly isCode: boolean }[] = [];
  let at = 0;
  for (let open = template.indexOf("{"); open >= 0; open = template.indexOf("{", at)) {
    const close = findClose(template, open + 1);
    if (close < 0) throw refuse(template, "a brace is not closed");
    parts.push({ text: template.slice(at, open), isCode: false });
    parts.push({ text: template.slice(open + 1, close).trim(), isCode: true });
    at = close + 1;
  }
  return [...parts, { text: template.slice(at), isCode: false }];
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);

function isQuoted(text: string): boolean {
  return /^(["']).*\1$/u.test(text);
}

function readQuoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gu, (_, letter: string) => escapes.get(letter) ?? letter);
}

/** kubectl's path in the form of RFC 9535. */
function readPath(template: string, text: string): string {
  const path = text.startsWith("$") ? text : `$${text.replace(/^@/u, "")}`;
  if (!/^[.$@[]/u.test(text)) throw refuse(template, `{${text}} is neither a path, a text in quotes, range nor end`);
  try {
    query(null, path);
  } catch (error) {
    throw refuse(template, `{${text}} is no path: ${error instanceof Error ? error.message : String(error)}`);
  }
  return path;
}

function readPiece(template: string, text: string, isCode: boolean): Piece {
  if (!isCode) return { kind: "text", text };
  return isQuoted(text) ? { kind: "text", text: readQuoted(text) } : { kind: "path", path: readPath(template, text) };
}

/** An open range; the first is the whole template. */
interface OpenRange {
  readonly path: string;
  readonly pieces: Piece[];
}

function closeRange(template: string, open: OpenRange[]): Piece {
  const ended = open.pop();
  if (ended === undefined || open.length === 0) throw refuse(template, "{end} ends no {range}");
  return { kind: "range", ...ended };
}

/** Parses a template; throws a refusal for an invalid one. */
function parseTemplate(template: string): readonly Piece[] {
  const open: OpenRange[] = [{ path: "", pieces: [] }];
  for (const { text, isCode } of splitTemplate(template)) {
    const range = isCode ? /^range\s+(.+)$/u.exec(text)?.[1] : undefined;
    if (range !== undefined) {
      open.push({ path: readPath(template, range), pieces: [] });
      continue;
    }
    const piece = isCode && text === "end" ? closeRange(template, open) : readPiece(template, text, isCode);
    open.at(-1)?.pieces.push(piece);
  }
  if (open.length > 1) throw refuse(template, "a {range} has no {end}");
  return open.flatMap(({ pieces }) => pieces);
}

function printValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fill(pieces: readonly Piece[], value: JsonValue): string {
  return pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      const found = query(value, piece.path);
      if (piece.kind === "range") return found.map((each) => fill(piece.pieces, each)).join("");
      return found.map(printValue).join(" ");
    })
    .join("");
}

/** `-o jsonpath=TEMPLATE`: the values that the template selects; a path without a value selects nothing. */
export function compileTemplate(template: string): (value: unknown) => string {
  const pieces = parseTemplate(template);
  return (value) => fill(pieces, value as JsonValue);
}
