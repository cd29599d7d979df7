import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { isAtLeast, readVersion } from "./version.ts";

/** A server's binary and what its process needs to find its libraries. */
export interface Program {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server that tests start for themselves, and where to have it from. */
export interface ProgramKind {
  readonly name: string;
  /** Programs that will do, the best first. */
  readonly programs: readonly string[];
  /** Older ones lack what we use. */
  readonly oldest: string;
  /** Debian's and Ubuntu's package, the file in it, and the name by which it has to be called. */
  readonly source: { readonly packageName: string; readonly file: string; readonly program: string };
}

/** Distributions put servers where an ordinary user's PATH does not look. */
export const moreFolders: readonly string[] = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Full path of a program, or undefined. */
export function findOnPath(name: string, path: string, more: readonly string[] = []): string | undefined {
  const folders = [...path.split(delimiter).filter((folder) => folder !== ""), ...more];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The server's own version; undefined when the binary does not run here. */
function requestVersion({ path, env }: Program): string | undefined {
  try {
    return readVersion(execFileSync(path, ["--version"], { env: { ...process.env, ...env }, encoding: "utf8" }));
  } catch {
    return undefined;
  }
}

/** What is wrong with a binary, or undefined. */
export function judgeProgram(kind: ProgramKind, program: Program): string | undefined {
  const version = requestVersion(program);
  if (version === undefined) return `${program.path} does not run here`;
  return isAtLeast(version, kind.oldest)
    ? undefined
    : `${program.path} is ${version}, needed is ${kind.oldest} or newer`;
}

export interface Search {
  readonly path: string;
  readonly more: readonly string[];
  readonly log: (line: string) => void;
}

/** A server that is installed on this machine and new enough. */
export function findInstalled(kind: ProgramKind, { path, more, log }: Search): Program | undefined {
  for (const name of kind.programs) {
    const found = findOnPath(name, path, more);
    if (found === undefined) continue;
    const program = { path: found, env: {} };
    const problem = judgeProgram(kind, program);
    if (problem === undefined) return program;
    log(`not used: ${problem}`);
  }
  return undefined;
}
