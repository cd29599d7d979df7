import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { RolloutsRepository } from "#libs/git";
import type { Ledger } from "#libs/ledger";
import type { Command } from "commander";

import { exitCodes } from "./exit-codes.ts";
import { findDemo } from "./demo-connection.ts";
import { Refusal } from "./refusal.ts";
import type { Terminal } from "./terminal.ts";

export interface RepositoryOptions {
  readonly repo?: string;
}

/** `--repo`, as every command that reads merged files has it. */
export function addRepositoryOption(command: Command): Command {
  return command.option(
    "--repo <url>",
    "rollouts repository: path or URL (default: MESHROLL_REPO_URL, a running demo, or the origin of this checkout)",
  );
}

/** Where a checkout came from: its own branches are a person's, and no planner ever sees them. */
async function findOrigin(cwd: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", cwd, "config", "--get", "remote.origin.url"]);
    return stdout.trim() === "" ? undefined : stdout.trim();
  } catch {
    return undefined; // No checkout, or one without an origin.
  }
}

/** Which repository a command means: the flag, the environment, a demo that runs here, the origin of this checkout, this folder. */
export async function chooseUrl(options: RepositoryOptions, { env, cwd }: Terminal): Promise<string> {
  return options.repo ?? env["MESHROLL_REPO_URL"] ?? findDemo(cwd)?.repoUrl ?? (await findOrigin(cwd)) ?? cwd;
}

/** A clone of our own per repository, so that a person's checkout is never touched and the second call is fast. */
export function chooseFolder(url: string, env: Terminal["env"]): string {
  const cache = env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "meshroll", "repositories", createHash("sha256").update(url).digest("hex").slice(0, 16));
}

/** Opens the rollouts repository for one command and tells a person what to mend when that fails. */
export async function withRepository<T>(
  options: RepositoryOptions,
  terminal: Terminal,
  use: (opened: {
    readonly repository: RolloutsRepository;
    readonly ledger: Ledger;
    readonly url: string;
  }) => Promise<T>,
): Promise<T> {
  const { GitRefused, GitUnavailable, openRepository } = await import("#libs/git");
  const { openLedger } = await import("#libs/ledger");
  const url = await chooseUrl(options, terminal);
  const token = terminal.env["MESHROLL_GIT_TOKEN"] ?? findDemo(terminal.cwd)?.gitToken;
  try {
    const repository = await openRepository({
      url,
      folder: chooseFolder(url, terminal.env),
      branch: terminal.env["MESHROLL_BRANCH"] ?? "main",
      ...(token === undefined ? {} : { credentials: { token } }),
    });
    return await use({ repository, ledger: openLedger(repository), url });
  } catch (error) {
    if (error instanceof GitUnavailable) throw new Refusal(exitCodes.unavailable, error.message);
    if (error instanceof GitRefused) throw refuseGit(error);
    // Somebody edited the branch, or a newer version wrote it: the message says where to look.
    if (error instanceof Error && error.name === "LedgerUnreadable")
      throw new Refusal(exitCodes.invalid, error.message);
    throw error;
  }
}

/** Who is not known, or lacks a right, has to be told apart from what is wrong with the repository. */
function refuseGit({ message }: Error): Refusal {
  const isUnknown = /authentication|permission|access|error: 40[13]|could not read username/iu.test(message);
  return new Refusal(isUnknown ? exitCodes.authentication : exitCodes.failed, message);
}
