import { existsSync } from "node:fs";
import { finished } from "node:stream/promises";

import type { Command } from "commander";

import { findConfigPath } from "../contexts/config-path.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Session } from "../terminal/session.ts";
import { isConverted } from "./converted-forms.ts";

interface SessionOptions {
  readonly output?: string;
  readonly jq?: string;
  readonly verbose?: boolean;
  readonly context?: string;
}

/** Commands that work although the file of contexts has errors. */
const withoutContext: readonly string[] = ["completion", "context", "help", "version"];

/** `-v` and `--context`, as every command has them. */
export function addSessionOptions(command: Command): Command {
  // `help help` declares a command twice.
  if (command.options.some(({ long }) => long === "--verbose")) return command;
  const all = command.option("-v, --verbose", "print each call to another system on stderr");
  if (withoutContext.includes(command.name())) return all;
  return all.option("--context <name>", "a context of the config file (default: MESHROLL_CONTEXT, or its current one)");
}

/** Whether a context is named. Without one the reader of contexts is not loaded, which saves time in scripts. */
export function mayHaveContext(flag: string | undefined, { terminal }: Session): boolean {
  return flag !== undefined || (terminal.env["MESHROLL_CONTEXT"] ?? "") !== "" || existsSync(findConfigPath(terminal));
}

/** Applies the current context below the flags and variables of a command. */
export async function applyContext(flag: string | undefined, session: Session): Promise<void> {
  if (!mayHaveContext(flag, session)) return;
  const { useContext } = await import("../contexts/use-context.ts");
  useContext(flag, session);
}

/** The filter of `--jq`, which works on JSON only. */
function readFilter(command: Command, { output, jq }: SessionOptions): string | undefined {
  if (jq === undefined || output === "json" || command.getOptionValueSource("output") !== "cli") return jq;
  throw new Refusal(exitCodes.usage, `--jq does nothing with -o ${output}`, "leave out -o, or type -o json");
}

async function convert(command: Command, format: string, filter: string | undefined, session: Session): Promise<void> {
  const { chooseConverter, convertOutput } = await import("./converted-output.ts");
  const change =
    filter === undefined ? chooseConverter(format) : await (await import("./jq-filter.ts")).compileFilter(filter);
  const converted = convertOutput(session.terminal.stdout, change);
  // Reported by the failing write, or below where the command did not wait for its writes.
  converted.on("error", () => undefined);
  session.useOutput(converted);
  session.atEnd(async () => finished(converted.end()));
  command.setOptionValue("output", "json");
}

/** Applies the options of every command before its action, which does not see them. */
export async function applySessionOptions(command: Command, session: Session): Promise<void> {
  const options = command.opts<SessionOptions>();
  const { output = "", verbose, context } = options;
  if (verbose === true) session.explainSteps();
  const filter = readFilter(command, options);
  if (filter !== undefined || isConverted(output)) await convert(command, output, filter, session);
  if (!withoutContext.includes(command.name())) await applyContext(context, session);
}
