import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

import type { GitRefusal, GitRefused, RolloutsRepository } from "#libs/git";
import { AdapterError } from "#libs/runtime";
import type { Ledger, LedgerUnreadable } from "#libs/ledger";
import type { Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { refuseOfScm } from "../logins/choose-scm.ts";
import { chooseGitLogin } from "../logins/git-login.ts";
import { refuseOtherVersion } from "../options/refuse-other-version.ts";
import { Refusal } from "../terminal/refusal.ts";
import { readFix } from "../text/read-fix.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { askCheckout } from "./checkout/ask-checkout.ts";

export interface RepositoryOptions {
  readonly repo?: string;
}

/** `--repo`, as every command that reads merged files has it. */
export function addRepositoryOption(command: Command): Command {
  return command.option(
    "--repo <url>",
    "rollouts repository: path or URL (default: MESHROLL_REPO_URL, or the origin of this checkout)",
  );
}

/**
 * A relative path is resolved against the shell's folder, because git would resolve it against our clone. As in git, a text
 * with a colon before its first slash is not a path.
 */
function findPath(url: string, cwd: string): string {
  if (/^[^/]*:/u.test(url)) return url;
  const path = resolve(cwd, url);
  return existsSync(path) ? path : url;
}

/** The origin of a checkout: its own branches are a person's, which no planner sees. */
async function findOrigin(cwd: string): Promise<string | undefined> {
  const origin = await askCheckout(cwd, ["config", "--get", "remote.origin.url"]);
  if (origin === undefined || origin === "") return undefined;
  return findPath(origin, (await askCheckout(cwd, ["rev-parse", "--show-toplevel"])) ?? cwd);
}

async function chooseHere(cwd: string): Promise<string> {
  const origin = await findOrigin(cwd);
  if (origin !== undefined) return origin;
  if ((await askCheckout(cwd, ["rev-parse", "--git-dir"])) !== undefined) return cwd;
  throw new Refusal(
    exitCodes.environment,
    `no rollouts repository is configured, and ${cwd} is in no git repository`,
    "give --repo URL (MESHROLL_REPO_URL), or go to a clone of it",
  );
}

/** The repository of a command: the flag, the environment, this checkout's origin, this folder. */
export async function chooseUrl(options: RepositoryOptions, { env, cwd }: Terminal): Promise<string> {
  const named = options.repo ?? env["MESHROLL_REPO_URL"];
  return named === undefined ? chooseHere(cwd) : findPath(named, cwd);
}

/** A clone of our own for each repository, so that a person's checkout is not touched and the second call is fast. */
export function chooseFolder(url: string, env: Terminal["env"]): string {
  const cache = env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "meshroll", "repositories", createHash("sha256").update(url).digest("hex").slice(0, 16));
}

/** Opens the rollouts repository for one command; failures name the fix. */
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
  const { LedgerUnreadable, openLedger } = await import("#libs/ledger");
  const url = await chooseUrl(options, terminal);
  const branch = terminal.env["MESHROLL_BRANCH"] ?? "main";
  terminal.explain?.(() => `asks git for ${branch} and meshroll/ledger of ${url.replace(/\/\/[^/@]*@/u, "//")}`);
  try {
    const repository = await openRepository({
      url,
      folder: chooseFolder(url, terminal.env),
      branch,
      ...(await chooseGitLogin(url, terminal)),
    });
    return await use({ repository, ledger: openLedger(repository), url });
  } catch (error) {
    if (error instanceof GitUnavailable) throw refuseGit(error, url, exitCodes.unavailable);
    if (error instanceof GitRefused) throw refuseGit(error, url, nameRefusal(error));
    if (error instanceof LedgerUnreadable) throw refuseLedger(error);
    // git's token is an App's, and GitHub issued none.
    throw error instanceof AdapterError ? await refuseOfScm(error) : error;
  }
}

/** Another version wrote it, or the branch was edited by hand: the message says where. */
function refuseLedger({ message, file, why, isOtherVersion }: LedgerUnreadable): Refusal {
  if (!isOtherVersion) return new Refusal(exitCodes.invalid, message);
  return refuseOtherVersion(`${file} in branch meshroll/ledger`, why);
}

/** Exit codes for refused logins and rights, for a repository of another kind, and for other failures. */
const refusalCodes: Readonly<Record<GitRefusal, number>> = {
  login: exitCodes.authentication,
  right: exitCodes.authentication,
  noBranch: exitCodes.environment,
  branchInTheWay: exitCodes.environment,
  moved: exitCodes.environment,
  noRepository: exitCodes.environment,
  addressKind: exitCodes.environment,
};

function nameRefusal({ refusal }: GitRefused): number {
  return refusal === undefined ? exitCodes.failed : refusalCodes[refusal];
}

function refuseGit(error: Error, url: string, code: number): Refusal {
  const { message, fix } = readFix(error);
  const { refusal, branch } = "refusal" in error ? (error as GitRefused) : {};
  // git's message is replaced, because its address may contain a password.
  const place = refusal === "addressKind" ? `: ${url.replace(/\/\/[^/@]*@/u, "//")}` : "";
  const help = branch === undefined ? fix : [`push a branch ${branch} there, or name its own by MESHROLL_BRANCH`];
  return new Refusal(code, `${message}${place}`, ...help);
}
