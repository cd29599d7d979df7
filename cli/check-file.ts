import { basename } from "node:path";

import { type Finding, parseRollouts } from "#libs/spec";

import { nameInput, readInput } from "./input.ts";
import type { Terminal } from "./terminal.ts";

/** A file and what is to be said of it. */
export interface CheckedFile {
  readonly name: string;
  /** For quoting lines; empty for a file that could not be read. */
  readonly text: string;
  /** Errors first, then in the order of the file. */
  readonly findings: readonly Finding[];
  /** `3 buckets` for a `rollouts.yml` without errors. */
  readonly contents?: string;
}

const ranks: Readonly<Record<Finding["severity"], number>> = { error: 0, warning: 1, note: 2 };

/** Errors first; within a severity the order in which they were given. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => ranks[a.severity] - ranks[b.severity]);
}

function sortByPlace(findings: readonly Finding[]): readonly Finding[] {
  return sortFindings(findings.toSorted((a, b) => a.line - b.line || a.column - b.column));
}

/** `meshroll.yml` by its name; every other file is read as `rollouts.yml`. */
function isSettingsFile(path: string): boolean {
  return basename(path) === "meshroll.yml";
}

/** Imported only when there is such a file: most calls save the time. */
async function checkSettings(bytes: Uint8Array, name: string): Promise<Omit<CheckedFile, "text">> {
  const { parseSettings } = await import("#libs/campaign");
  return { name, findings: sortByPlace(parseSettings(bytes, name).findings) };
}

function checkRollouts(bytes: Uint8Array, name: string): Omit<CheckedFile, "text"> {
  const parsed = parseRollouts(bytes, name);
  const findings = sortByPlace(parsed.findings);
  if (!parsed.ok) return { name, findings };
  const count = parsed.value.buckets.length;
  return { name, findings, contents: count === 1 ? "1 bucket" : `${count} buckets` };
}

/** The finding for a file that is not there or cannot be read. */
function reportUnreadable(path: string, why: string): Finding {
  const code = isSettingsFile(path) ? "MR3000" : "MR1000";
  const help = "run meshroll where the file is, or give its path";
  return { code, severity: "error", file: nameInput(path), line: 1, column: 1, message: why, help };
}

/** Reads and checks one file. */
export async function checkFile(path: string, terminal: Terminal): Promise<CheckedFile> {
  const input = await readInput(path, terminal);
  if (!input.ok) return { name: input.name, text: "", findings: [reportUnreadable(path, input.why)] };
  const { bytes, name } = input;
  const checked = isSettingsFile(path) ? await checkSettings(bytes, name) : checkRollouts(bytes, name);
  return { ...checked, text: new TextDecoder().decode(bytes) };
}
