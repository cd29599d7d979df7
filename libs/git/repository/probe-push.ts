import { resolve } from "node:path";

import { parseAddress } from "../address.ts";
import { classify } from "../clone/classify.ts";
import { createEnvironments } from "../process/environment.ts";
import { toBranchRef } from "../names.ts";
import { createRunGit } from "../process/run-git.ts";
import type { RepositoryOptions } from "./simple-git.ts";

/**
 * Asks the remote whether a commit could be pushed to a branch, without pushing. It shows the right to push to the repository;
 * rules of a branch show only in a real push. Throws `GitRefused` or `GitUnavailable`.
 */
export async function probePush(options: RepositoryOptions, commit: string, branch: string): Promise<void> {
  const address = parseAddress(options.url);
  const folder = resolve(options.folder);
  const environments = createEnvironments(folder, address, options.credentials, process.env);
  const git = createRunGit(folder, environments, options.timeoutMs ?? 60_000);
  try {
    await git([
      "push",
      "--dry-run",
      "--porcelain",
      "--no-verify",
      "--",
      address.url,
      `${commit}:${toBranchRef(branch)}`,
    ]);
  } catch (error) {
    throw classify(error, `trying a push to ${branch} (${address.url})`, `git ls-remote ${address.url}`);
  }
}
