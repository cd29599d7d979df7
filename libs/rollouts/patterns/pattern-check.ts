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

/** MR1006, MR1011, MR1015 (errors), MR1020 and MR1010 (note) for one pattern; the default bucket's name is no pattern. */
export function checkPattern(text: string, key: KeyLayout): readonly Problem[] {
  const copied = checkLookAlike(key, "pattern");
  if (copied.length > 0) return copied;
  if (key.name.length > MAX_PATTERN) return [refuseLength(key)];
  const fault = SIMPLE.test(key.name) ? undefined : findFault(key.name);
  if (fault !== undefined) return [refuse(text, key, fault)];
  return [...checkNumberLike(key, "pattern"), ...checkSlip(text, key)];
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
 * Why it is no pattern; undefined for one. Repository text meets RE2 only, never the engine of JavaScript, which can take
 * seconds for a name of 30 characters.
 */
export function findFault(pattern: string): PatternFault | undefined {
  if (pattern === "") return EMPTY;
  const unknown = findPatternFault(pattern);
  if (unknown !== undefined) return unknown;
  try {
    if (RE2JS.compile(pattern).programSize() <= MAX_PROGRAM) return undefined;
    const help = "a namespace has at most 63 characters: lower the counts in `{}`";
    return { index: 0, length: pattern.length, message: "it repeats too much", help };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const meant = translateGlob(pattern);
    const fault = locateFault(pattern, error);
    return meant === undefined ? fault : { ...fault, help: `patterns are regular expressions: write \`${meant}\`` };
  }
}
