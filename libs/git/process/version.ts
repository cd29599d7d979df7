import { GitRefused } from "../errors.ts";
import type { RunGit } from "./run-git.ts";

/** The version in Debian 12 and Ubuntu 24.04; older ones lack needed options. */
const oldest = [2, 38] as const;

/** Throws `GitRefused` when git is too old. */
export async function requireGitVersion(git: RunGit): Promise<void> {
  const text = await git(["version"]);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const found = Number(major) * 1000 + Number(minor);
  if (!(found >= oldest[0] * 1000 + oldest[1])) {
    throw new GitRefused(
      `${text.trim()} is older than git ${oldest.join(".")}`,
      "apt-get install git (Debian 12 or newer)",
    );
  }
}
