import { execFileSync } from "node:child_process";

import type { AuditedCommit } from "./evidence.ts";

export function git(repository: string, ...args: readonly string[]): string {
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

/** Files that stand directly in `campaigns/`. */
function showCampaigns(repository: string, sha: string): Readonly<Record<string, string>> {
  const paths = git(repository, "ls-tree", "--name-only", sha, "campaigns/").trim().split("\n");
  const files = paths.filter((path) => path.endsWith(".yml"));
  return Object.fromEntries(files.map((path) => [path, show(repository, `${sha}:${path}`) ?? ""]));
}

/** Turns git's clock (ms) into the clusters' clock, which runs faster in a sandbox. */
export type ToClusterTime = (gitMs: number) => number;

/**
 * First-parent commits of main, oldest first. Git knows whole seconds, so a commit counts from the second it was made in,
 * and is there for sure in the next one. `former`: heads that main had and that a forced push took away.
 */
export function readHistory(
  repository: string,
  toClusterTime: ToClusterTime,
  former: readonly string[] = [],
): readonly AuditedCommit[] {
  const format = "--format=%H%x09%ct%x09%an";
  const lines = [...former, "refs/heads/main"].flatMap((head) =>
    git(repository, "log", "--first-parent", "--reverse", format, head).trim().split("\n"),
  );
  const commits = [...new Set(lines)].map((line, index) => {
    const [sha = "", seconds = "0", author = ""] = line.split("\t");
    const second = Number(seconds) * 1000;
    const at = index === 0 ? 0 : toClusterTime(second);
    const atLatest = index === 0 ? 0 : toClusterTime(second + 999);
    const rollouts = show(repository, `${sha}:rollouts.yml`) ?? "";
    const settings = show(repository, `${sha}:meshroll.yml`);
    return { sha, at, atLatest, author, rollouts, settings, campaigns: showCampaigns(repository, sha) };
  });
  return commits.toSorted((a, b) => a.at - b.at);
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
