import { finished } from "node:stream/promises";

import type { Command } from "commander";

import type { Session } from "../terminal/session.ts";
import { useContext } from "../contexts/use-context.ts";
import { chooseConverter, convertOutput } from "./converted-output.ts";

interface SessionOptions {
  readonly output?: string;
  readonly verbose?: boolean;
  readonly context?: string;
}

/** They say what meshroll is, or are how a file of contexts is put right: no error in that file keeps them from it. */
const withoutContext: readonly string[] = ["completion", "context", "help", "version"];

/** `-v` and `--context`, as every command has them. */
export function addSessionOptions(command: Command): Command {
  // `help help` declares a command twice.
  if (command.options.some(({ long }) => long === "--verbose")) return command;
  const all = command.option("-v, --verbose", "say on stderr what is asked of whom");
  if (withoutContext.includes(command.name())) return all;
  return all.option("--context <name>", "a context of the config file (default: MESHROLL_CONTEXT, or its current one)");
}

/** What the flags of every command mean, done before its action: the action never sees them. */
export function applySessionOptions(command: Command, session: Session): void {
  const { output = "", verbose, context } = command.opts<SessionOptions>();
  if (verbose === true) session.explainSteps();
  if (!withoutContext.includes(command.name())) useContext(context, session);
  const convert = chooseConverter(output);
  if (convert !== undefined) {
    const converted = convertOutput(session.terminal.stdout, convert);
    session.useOutput(converted);
    session.atEnd(async () => finished(converted.end()));
    command.setOptionValue("output", "json");
  }
}
