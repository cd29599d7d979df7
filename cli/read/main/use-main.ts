import type { Command } from "commander";

import type { Terminal } from "../../terminal/terminal.ts";
import type { RepositoryOptions } from "../repository.ts";

/** `--repo` of a command that reads this folder's files by default. */
export function addMainOption(command: Command): Command {
  return command.option("--repo <url>", "main of this repository, path or URL, instead of the files here");
}

/** The terminal with main's files in place of its folder's, where a repository is named. */
export async function useMain(options: RepositoryOptions, terminal: Terminal): Promise<Terminal> {
  if (options.repo === undefined) return terminal;
  // Most calls read local files and need not load this.
  const { withRepository } = await import("../repository.ts");
  const { readTexts } = await import("../read-spec.ts");
  return withRepository(options, terminal, async ({ repository }) => {
    const { main } = await repository.fetch();
    const { rollouts, settings, campaigns } = await readTexts(repository, main);
    const files = new Map([
      ...(rollouts === undefined ? [] : [["rollouts.yml", rollouts] as const]),
      ...(settings === undefined ? [] : [["meshroll.yml", settings] as const]),
      ...Object.entries(campaigns),
    ]);
    return { ...terminal, files };
  });
}
