import { RE2JS, RE2JSSyntaxException } from "re2js";
import { checkLookAlike, checkNumberLike } from "../file/check-buckets.ts";
import type { KeyLayout } from "../source/layout.ts";
import { locateFault } from "./locate-fault.ts";
import { findPatternSlip, translateGlob } from "./pattern-slips.ts";
import { findPatternFault, type PatternFault } from "./pattern-syntax.ts";
import { spanInKey } from "../file/quoted-offset.ts";
import { findLineEnd, type Problem } from "../source/source.ts";

/** The longest pattern, in characters; a namespace has at most 63. */
const MAX_PATTERN = 256;
/** Instructions of a compiled pattern. Matching a name costs at most this times its length; repeats can multiply it. */
const MAX_PROGRAM = 2_000;

/** Needs no compilation: letters, digits and dashes, with at most one `.*` in front or behind, perhaps anchored. */
const SIMPLE = /^\^?(?:\.\*)?[A-Za-z0-9-]+(?:\.\*)?\$?$/u;

/** What is to say of one pattern. */
export interface PatternCheck {
  readonly problems: readonly Problem[];
  /** Size of its compiled program; 0 when it needs none. */
  readonly steps: number;
}

/** MR1006, MR1011, MR1015 (errors), MR1020 and MR1010 (note) for one pattern; the default bucket's name is no pattern. */
export function checkPattern(text: string, key: KeyLayout): PatternCheck {
  const copied = checkLookAlike(key, "pattern");
  if (copied.length > 0) return { problems: copied, steps: 0 };
  if (key.name.length > MAX_PATTERN) return { problems: [refuseLength(key)], steps: 0 };
  const read = SIMPLE.test(key.name) ? 0 : compilePattern(key.name);
  if (typeof read !== "number") return { problems: [refuse(text, key, read)], steps: 0 };
  return { problems: [...checkNumberLike(key, "pattern"), ...checkSlip(text, key)], steps: read };
}

/** As `meshroll pin` marks the entries that it writes. */
const PIN_NOTE = /#\s*meshroll: pin\s/u;

/** A warning; an error for a pin, which would leave without protection what its author meant. */
function checkSlip(text: string, key: KeyLayout): readonly Problem[] {
  const slip = findPatternSlip(key.name);
  if (slip === undefined) return [];
  const isPin = PIN_NOTE.test(text.slice(key.span.end, findLineEnd(text, key.span.end)));
  const span = spanInKey(text, key, slip.index, slip.length);
  const message = `probably not what is meant: ${slip.message}`;
  return [{ code: "MR1020", severity: isPin ? "error" : "warning", span, message, help: slip.help }];
}

const EMPTY: PatternFault = {
  index: 0,
  length: 1,
  message: "it is empty",
  help: "`production` is the bucket for everything else",
};

function refuseLength(key: KeyLayout): Problem {
  const message = `the pattern has ${key.name.length} characters; ${MAX_PATTERN} is the most`;
  return {
    code: "MR1015",
    span: key.span,
    message,
    help: "a namespace has at most 63: split the pattern into buckets",
  };
}

function refuse(text: string, key: KeyLayout, fault: PatternFault): Problem {
  const span = key.name === "" ? key.span : spanInKey(text, key, fault.index, fault.length);
  return { code: "MR1006", span, message: `not a pattern: ${fault.message}`, help: fault.help };
}

/**
 * The size of the compiled program, or the fault. Repository text meets RE2 only, never the engine of JavaScript, which can take
 * seconds for a name of 30 characters.
 */
export function compilePattern(pattern: string): number | PatternFault {
  if (pattern === "") return EMPTY;
  const unknown = findPatternFault(pattern);
  if (unknown !== undefined) return unknown;
  try {
    const size = RE2JS.compile(pattern).programSize();
    if (size <= MAX_PROGRAM) return size;
    const help = "a namespace has at most 63 characters: lower the counts in `{}`";
    return { index: 0, length: pattern.length, message: "it repeats too much", help };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const meant = translateGlob(pattern);
    const fault = locateFault(pattern, error);
    return meant === undefined ? fault : { ...fault, help: `patterns are regular expressions: write \`${meant}\`` };
  }
}
