import type { RE2JSSyntaxException } from "re2js";
import type { PatternFault } from "./pattern-syntax.ts";

/** The place of the engine's error in the pattern: the engine quotes a piece of text without its place. */
export function locateFault(pattern: string, error: RE2JSSyntaxException): PatternFault {
  const fault = String(error.error);
  const input = typeof error.input === "string" ? error.input : "";
  const found = input === "" ? -1 : pattern.lastIndexOf(input);
  const help = "patterns are RE2 regular expressions that match the whole name, such as `.*-staging`";
  if (fault.startsWith("trailing backslash")) return { index: pattern.length - 1, length: 1, message: fault, help };
  // For brackets the engine quotes the whole pattern: find the bracket.
  if (fault === "missing closing )")
    return { index: findOpenGroup(pattern), length: 1, message: "`(` is never closed", help };
  if (fault === "unexpected )")
    return { index: findStrayClose(pattern), length: 1, message: "`)` closes nothing", help };
  const message = input === "" ? fault : `${fault} \`${input}\``;
  return { index: Math.max(0, found), length: found < 0 ? pattern.length : input.length, message, help };
}

/** Offsets of brackets of groups, outside of classes and escapes. */
function* walkGroups(pattern: string): Generator<{ readonly at: number; readonly open: boolean }> {
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "\\") at++;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(" || char === ")") yield { at, open: char === "(" };
  }
}

function findOpenGroup(pattern: string): number {
  const open: number[] = [];
  for (const group of walkGroups(pattern)) {
    if (group.open) open.push(group.at);
    else open.pop();
  }
  return open.at(-1) ?? 0;
}

function findStrayClose(pattern: string): number {
  let depth = 0;
  for (const group of walkGroups(pattern)) {
    depth += group.open ? 1 : -1;
    if (depth < 0) return group.at;
  }
  return 0;
}
