import type { Argument, Command, Option } from "commander";

import { topics } from "../show/help-topics.ts";
import { findKind } from "./value-kinds.ts";

/** An option, as far as a shell needs to know it. */
export interface OptionShape {
  /** `-o` and `--output`, or the long one alone. */
  readonly flags: readonly string[];
  readonly description: string;
  /** A value follows. */
  readonly takesValue: boolean;
  /** The value's choices; empty = anything, and paths are offered. */
  readonly choices: readonly string[];
  /** Its values depend on folder and fleet: the shell calls meshroll for them. */
  readonly requests: boolean;
}

export interface CommandShape {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionShape[];
  /** The choices of its first argument; `files`: its arguments are paths. */
  readonly words: readonly string[];
  readonly files: boolean;
  /** The shell calls meshroll for values of its arguments; after `words`, where there are any. */
  readonly requests: boolean;
}

/** The placeholder of a flag tells that its value is a path. */
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

/** Every command of a fully declared program, with `--help`. */
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
