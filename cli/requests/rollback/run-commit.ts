import type { RunRecord } from "#libs/plan";

import { Refusal } from "../../terminal/refusal.ts";
import { type RepositoryOptions, withRepository } from "../../read/repository.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** `-m 1 ` when the run's commit is a merge, because `git revert` needs to know the parent. */
export async function findMergeFlag(run: RunRecord, options: RepositoryOptions, terminal: Terminal): Promise<string> {
  try {
    return await withRepository(options, terminal, async ({ repository }) => {
      const commits = await repository.firstParents(run.before, run.commit);
      const parents = commits.find(({ sha }) => sha === run.commit)?.parents ?? [];
      return parents.length > 1 ? "-m 1 " : "";
    });
  } catch (error) {
    // git will name what is missing when the command is typed.
    if (error instanceof Refusal) return "";
    throw error;
  }
}
