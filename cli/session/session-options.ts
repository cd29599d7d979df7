import { existsSync } from "node:fs";
import { finished } from "node:stream/promises";

import type { Command } from "commander";

import { findConfigPath } from "../contexts/config-path.ts";
import type { Session } from "../terminal/session.ts";
import { isConverted } from "./converted-forms.ts";

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

/** Whether anything names a context. Without one its reader is not even loaded: most calls of a script save the time. */
export function mayHaveContext(flag: string | undefined, { terminal }: Session): boolean {
  return flag !== undefined || (terminal.env["MESHROLL_CONTEXT"] ?? "") !== "" || existsSync(findConfigPath(terminal));
}

/** Puts the context that counts behind the flags and the variables of a command. */
export async function applyContext(flag: string | undefined, session: Session): Promise<void> {
  if (!mayHaveContext(flag, session)) return;
  const { useContext } = await import("../contexts/use-context.ts");
  useContext(flag, session);
}

async function convert(command: Command, format: string, session: Session): Promise<void> {
  const { chooseConverter, convertOutput } = await import("./converted-output.ts");
  const converted = convertOutput(session.terminal.stdout, chooseConverter(format));
  session.useOutput(converted);
  session.atEnd(async () => finished(converted.end()));
  command.setOptionValue("output", "json");
}

/** What the flags of every command mean, done before its action: the action never sees them. */
export async function applySessionOptions(command: Command, session: Session): Promise<void> {
  const { output = "", verbose, context } = command.opts<SessionOptions>();
  if (verbose === true) session.explainSteps();
  if (isConverted(output)) await convert(command, output, session);
  if (!withoutContext.includes(command.name())) await applyContext(context, session);
}
