import type { Command } from "commander";

/** Where offline commands read the spec. */
export interface SpecOptions {
  readonly file: string;
  readonly settings?: string;
  readonly seed?: string;
}

/** Declares `--file`, `--settings` and `--seed`. */
export function addSpecOptions(command: Command): Command {
  return command
    .option("--file <path>", "the rollouts file, `-` for stdin", "rollouts.yml")
    .option("--settings <path>", "the settings file (default: meshroll.yml next to the rollouts file, if it exists)")
    .option("--seed <text>", "seed of the assignment, instead of the one in the settings");
}
