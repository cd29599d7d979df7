import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { isAtLeast, readVersion } from "./version.ts";

/** A server's binary, and the environment that its process needs to find its libraries. */
export interface Program {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server that tests start, and the package that contains it. */
export interface ProgramKind {
  readonly name: string;
  /** Names of suitable binaries, preferred first. */
  readonly programs: readonly string[];
  /** Oldest version that has what we use. */
  readonly oldest: string;
  /** Package of Debian and Ubuntu, the file in it, and the name under which the file must be called. */
  readonly source: { readonly packageName: string; readonly file: string; readonly program: string };
}

/** Where distributions put servers; an ordinary user's PATH often lacks these folders. */
export const moreFolders: readonly string[] = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Full path of an executable, or undefined. `path` has the form of PATH. */
export function findOnPath(name: string, path: string, more: readonly string[] = []): string | undefined {
  const folders = [...path.split(delimiter).filter((folder) => folder !== ""), ...more];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The version that `--version` prints; undefined when the binary does not run here. */
function requestVersion({ path, env }: Program): string | undefined {
  try {
    return readVersion(execFileSync(path, ["--version"], { env: { ...process.env, ...env }, encoding: "utf8" }));
  } catch {
    return undefined;
  }
}

/** Why a binary cannot be used; undefined when it can. */
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

/** An installed binary that is new enough; undefined when there is none. */
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
