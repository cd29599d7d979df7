import type { Argument, Command, Option } from "commander";

import { topics } from "../show/help-topics.ts";
import { findKind } from "./value-kinds.ts";

/** One option as a shell has to know it. */
export interface OptionShape {
  /** `-o` and `--output`, or the long one alone. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Another word follows it. */
  readonly takesValue: boolean;
  /** What that word can be; empty = anything, and a path is offered. */
  readonly choices: readonly string[];
  /** Its values depend on the folder and the fleet: meshroll is called for them. */
  readonly requests: boolean;
}

export interface CommandShape {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionShape[];
  /** What its first argument can be, where that is known; `files`: arguments are paths. */
  readonly words: readonly string[];
  readonly files: boolean;
  /** meshroll is asked for values of its arguments; of those behind `words`, where it has such. */
  readonly requests: boolean;
}

/** What each flag's value looks like says its placeholder. */
const paths: readonly string[] = ["path", "file"];

function describeOption(command: string, option: Option): OptionShape {
  const { short, long, description, argChoices, required, optional } = option;
  return {
    flags: [short, long].flatMap((flag) => flag ?? []),
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
    requests: findKind(command, long ?? "") !== undefined,
  };
}

const help: OptionShape = {
  flags: ["-h", "--help"],
  description: "show its help",
  takesValue: false,
  choices: [],
  requests: false,
};

function listWords(argument: Argument | undefined): readonly string[] {
  return argument?.argChoices ?? [];
}

/** Every command of a program that is declared in full, with `--help`. */
export function describeProgram(program: Command): readonly CommandShape[] {
  const names = program.commands.map((command) => command.name());
  return program.commands.map((command) => {
    const [argument] = command.registeredArguments;
    const name = command.name();
    const words = listWords(argument);
    return {
      name,
      summary: command.summary(),
      options: [...command.options.map((option) => describeOption(name, option)), help],
      words: name === "help" ? [...names, ...Object.keys(topics)] : words,
      files: paths.includes(argument?.name() ?? ""),
      requests: command.registeredArguments.some((each) => findKind(name, each.name()) !== undefined),
    };
  });
}
