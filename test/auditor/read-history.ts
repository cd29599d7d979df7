import { execFileSync } from "node:child_process";

import type { AuditedCommit } from "./evidence.ts";

function git(repository: string, ...args: readonly string[]): string {
  return execFileSync("git", ["--git-dir", repository, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function show(repository: string, path: string): string | undefined {
  try {
    return git(repository, "show", path);
  } catch {
    return undefined; // No such file at that commit: that is what undefined says.
  }
}

/**
 * First-parent commits of main, oldest first. `toClusterTime` turns git's wall clock (ms) into the clusters' clock, which
 * runs faster in a sandbox; git knows whole seconds, so a commit counts from the second it was made in.
 */
export function readHistory(repository: string, toClusterTime: (wallMs: number) => number): readonly AuditedCommit[] {
  const log = git(
    repository,
    "log",
    "--first-parent",
    "--reverse",
    "--format=%H%x09%ct%x09%an",
    "refs/heads/main",
  ).trim();
  return log.split("\n").map((line, index) => {
    const [sha = "", seconds = "0", author = ""] = line.split("\t");
    const at = index === 0 ? 0 : toClusterTime(Number(seconds) * 1000);
    const rollouts = show(repository, `${sha}:rollouts.yml`) ?? "";
    return { sha, at, author, rollouts, settings: show(repository, `${sha}:meshroll.yml`) };
  });
}

/** Ids of the runs that the ledger branch names. */
export function readLedgerRuns(repository: string): readonly string[] {
  try {
    const files = git(repository, "ls-tree", "-r", "--name-only", "refs/heads/meshroll/ledger", "runs").trim();
    return files === "" ? [] : files.split("\n").map((path) => path.replace(/^runs\/(.*)\.json$/, "$1"));
  } catch {
    return []; // No ledger branch: no run is named.
  }
}
