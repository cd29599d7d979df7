import { finished } from "node:stream/promises";

import type { Command } from "commander";

import type { Session } from "../terminal/session.ts";
import { chooseConverter, convertOutput } from "./converted-output.ts";

interface SessionOptions {
  readonly output?: string;
  readonly verbose?: boolean;
}

/** `-v`, as every command has it. */
export function addSessionOptions(command: Command): Command {
  // `help help` declares a command twice.
  if (command.options.some(({ long }) => long === "--verbose")) return command;
  return command.option("-v, --verbose", "say on stderr what is asked of whom");
}

/** What the flags of every command mean, done before its action: the action never sees them. */
export function applySessionOptions(command: Command, session: Session): void {
  const { output = "", verbose } = command.opts<SessionOptions>();
  const convert = chooseConverter(output);
  if (convert !== undefined) {
    const converted = convertOutput(session.terminal.stdout, convert);
    session.useOutput(converted);
    session.atEnd(async () => finished(converted.end()));
    command.setOptionValue("output", "json");
  }
  if (verbose === true) session.explainSteps();
}
