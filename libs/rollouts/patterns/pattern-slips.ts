import { lookUp } from "#libs/input";

import type { Branch, Piece } from "./branch.ts";
import { listBranches } from "./pattern-branches.ts";
import type { PatternFault } from "./pattern-syntax.ts";
import { measureClass, measureEscape, measureGroup, measureQuantifier } from "./pattern-tokens.ts";

/** A piece of a pattern that probably does not mean what its author intended, and what to write instead. */
interface Slip extends Omit<PatternFault, "help"> {
  readonly meant: string;
  /** The present meaning in a form that is not reported; absent where there is none. */
  readonly kept?: string;
}

/** A walk through a pattern from left to right. */
interface Walk {
  readonly pattern: string;
  at: number;
  depth: number;
  /** Start of the item before `at`, where that is one plain character. */
  literal: number | undefined;
  readonly slips: Slip[];
  /** Offsets of each `|` outside of groups. */
  readonly bars: number[];
}

const NAMES = "names of namespaces have small letters, digits and `-`, and begin and end with a letter or a digit";

/** The usual patterns: a name, `prefix-.*` or `.*-suffix`. */
const USUAL =
  /^(?:\^[a-z0-9]+(?:-+[a-z0-9]+)*\$|[a-z0-9]+(?:-+[a-z0-9]+)*(?:-?\.[*+])?|\.[*+]-?[a-z0-9]+(?:-+[a-z0-9]+)*)$/u;

/**
 * MR1020: a valid pattern that hardly means what its author intended: shell patterns (`payments-*`, `{a,b}`, `[!a]`), text that
 * no namespace's name contains, and a single anchor.
 */
export function findPatternSlip(pattern: string): PatternFault | undefined {
  if (USUAL.test(pattern)) return undefined;
  const walk: Walk = { pattern, at: 0, depth: 0, literal: undefined, slips: [], bars: [] };
  // With flags or quoted text the author knows the dialect.
  if (!readAll(walk)) return undefined;
  const [first] = walk.slips;
  return first === undefined ? (findDead(walk) ?? findLoneAnchor(pattern)) : describe(pattern, first, walk.slips);
}

/** The pattern read as a shell pattern; undefined where it would be the same or cannot be translated. */
export function translateGlob(pattern: string): string | undefined {
  if (!/^[a-z0-9*?-]+$/u.test(pattern)) return undefined;
  const translated = pattern.replaceAll(/\?\*/gu, ".+").replaceAll(/\*+/gu, ".*").replaceAll("?", ".");
  return translated === pattern ? undefined : translated;
}

function describe(pattern: string, first: Slip, slips: readonly Slip[]): PatternFault {
  const { index, length, message, kept } = first;
  const meant = [...slips].reverse().reduce((text, slip) => replaceAt(text, slip, slip.meant), pattern);
  const asNow = kept === undefined ? "" : `; \`${replaceAt(pattern, first, kept)}\` if it is meant as it stands`;
  return { index, length, message, help: `write \`${meant}\`${asNow}` };
}

function replaceAt(text: string, { index, length }: Pick<Slip, "index" | "length">, by: string): string {
  return text.slice(0, index) + by + text.slice(index + length);
}

/** False for a construct that is not understood. */
function readAll(walk: Walk): boolean {
  while (walk.at < walk.pattern.length) {
    const length = readItem(walk);
    if (length === undefined) return false;
    walk.at += length;
  }
  return true;
}

/** Readers of special items: their length; undefined where they are not understood. */
const readers: Readonly<Record<string, (walk: Walk) => number | undefined>> = {
  "\\": ({ pattern, at }) => measureEscape(pattern, at)?.length,
  "[": readClass,
  "(": openGroup,
  ")": closeGroup,
  "|": noteBar,
  "{": readBraces,
  ".": () => 1,
  "^": () => 1,
  $: () => 1,
};

/** The length of the item at `at`; records its slips. */
function readItem(walk: Walk): number | undefined {
  const { pattern, at, literal } = walk;
  const quantifier = measureQuantifier(pattern, at);
  const read = lookUp(readers, pattern.charAt(at));
  walk.literal = quantifier === 0 && read === undefined ? at : undefined;
  if (quantifier === 0) return read === undefined ? 1 : read(walk);
  if (literal !== undefined) noteRepeat(walk, literal, quantifier);
  return quantifier;
}

function openGroup(walk: Walk): number | undefined {
  walk.depth++;
  return measureGroup(walk.pattern, walk.at);
}

function closeGroup(walk: Walk): number {
  walk.depth--;
  return 1;
}

function noteBar({ depth, bars, at }: Walk): number {
  if (depth === 0) bars.push(at);
  return 1;
}

function readClass({ pattern, at, slips }: Walk): number | undefined {
  const message = "`[!` is one of these characters or `!`, and not any other character";
  if (/^\[!(?!-)/u.test(pattern.slice(at, at + 3))) slips.push({ index: at, length: 2, message, meant: "[^" });
  return measureClass(pattern, at);
}

/** `{a,b}`; counts such as `{2,3}` were read before. */
function readBraces({ pattern, at, slips }: Walk): number {
  const found = /^\{([^{}]*)\}/u.exec(pattern.slice(at));
  if (found === null) return 1;
  const [whole, inner = ""] = found;
  const message = `\`${whole}\` is this very text, braces included, which no namespace has`;
  slips.push({ index: at, length: whole.length, message, meant: `(${inner.replaceAll(",", "|")})` });
  return whole.length;
}

/** `a*`, and `-?` or `-+` at the end of an alternative. */
function noteRepeat({ pattern, at, slips }: Walk, literal: number, quantifier: number): void {
  const char = pattern.charAt(literal);
  const sign = pattern.charAt(at);
  const isLast = ["", "|", ")", "$"].includes(pattern.charAt(at + quantifier));
  const length = at + quantifier - literal;
  const piece = pattern.slice(literal, at + quantifier);
  if (sign === "*") {
    const message = `\`${piece}\` is any number of \`${char}\` here, and not any text as in a shell`;
    slips.push({ index: literal, length, message, meant: `${char}.*`, kept: `[${char}]*` });
  } else if (char === "-" && isLast && (sign === "?" || sign === "+")) {
    const message = `\`${piece}\` at the end adds nothing: no namespace ends with \`-\``;
    slips.push({ index: literal, length, message, meant: sign === "?" ? "-." : "-.+" });
  }
}

/** Why a branch matches no possible name of a namespace. */
type Death = { readonly by: "character"; readonly char: string } | { readonly by: "start" | "end" };

function findStrangeChar(branch: Branch): string | undefined {
  const texts = branch.map((piece) => (piece.kind === "text" ? piece.text : ""));
  return /[^a-z0-9-]/u.exec(texts.join(""))?.[0];
}

function isText(piece: Piece | undefined, test: (text: string) => boolean): boolean {
  return piece?.kind === "text" && test(piece.text);
}

function findDeath(branch: Branch): Death | undefined {
  const char = findStrangeChar(branch);
  if (char !== undefined) return { by: "character", char };
  if (isText(branch[0], (text) => text.startsWith("-"))) return { by: "start" };
  return isText(branch.at(-1), (text) => text.endsWith("-")) ? { by: "end" } : undefined;
}

/** An alternative that no namespace's name can match. */
function findDead({ pattern, bars }: Walk): PatternFault | undefined {
  const ends = [...bars, pattern.length];
  for (const [place, end] of ends.entries()) {
    const index = place === 0 ? 0 : (ends[place - 1] ?? 0) + 1;
    const alternative = pattern.slice(index, end);
    const deaths = listBranches(alternative).map(findDeath);
    const [first] = deaths;
    if (first === undefined || deaths.includes(undefined)) continue;
    const message = `\`${alternative}\` matches no name that a namespace can have: ${explain(first)}`;
    return { index, length: Math.max(1, alternative.length), message, help: suggest(alternative, first) };
  }
  return undefined;
}

function explain(death: Death): string {
  if (death.by === "character") return `none has \`${death.char}\``;
  return death.by === "start" ? "none begins with `-`" : "none ends with `-`";
}

function suggest(alternative: string, death: Death): string {
  if (death.by === "start") return `write \`${alternative.replace(/^\^?/u, ".*")}\``;
  if (death.by === "end") return `write \`${alternative.replace(/\$?$/u, ".*")}\``;
  if (death.by === "character" && death.char === ",") return "write `a|b` for `a` or `b`";
  const spelt = alternative.toLowerCase().replaceAll("_", "-").replaceAll("%", ".*");
  return /^[a-z0-9^$.*-]+$/u.test(spelt) ? `write \`${spelt}\`` : NAMES;
}

/** `^payments` or `payments$`, written as if a part of the name were matched. */
function findLoneAnchor(pattern: string): PatternFault | undefined {
  const [, head = "", name = "", tail = ""] = /^(\^?)([a-z0-9-]+)(\$?)$/u.exec(pattern) ?? [];
  if (name === "" || (head === "") === (tail === "")) return undefined;
  const [sign, index, looks, meant] =
    tail === "" ? (["^", 0, "begin", `${name}.*`] as const) : (["$", pattern.length - 1, "end", `.*${name}`] as const);
  const message = `\`${sign}\` changes nothing: the whole name is matched, so only \`${name}\` has this bucket's pattern`;
  return { index, length: 1, message, help: `write \`${meant}\` for all that ${looks} so, \`^${name}$\` for this one` };
}
