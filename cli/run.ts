import { CommanderError } from "commander";

import { sayCommand } from "./called-as.ts";
import type { Invocation } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { makeProgram } from "./program.ts";
import { Refusal } from "./refusal.ts";
import type { Terminal } from "./terminal.ts";
import { wrapText } from "./wrap-text.ts";

/** Tells a person what went wrong and returns the exit code for it. */
function reportError(error: unknown, { stderr, env }: Terminal): number {
  // Commander has already written its message; help and version arrive here too, as exits with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof Refusal) {
    // What is to be typed stays as it is: only sentences are fitted to a terminal.
    const help = error.help === undefined ? "" : `  ${sayCommand(error.help, { env })}\n`;
    stderr.write(`${wrapText(`meshroll: ${error.message}`).join("\n")}\n${help}`);
    return error.exitCode;
  }
  const known = error instanceof Error;
  stderr.write(`meshroll: this is a bug in meshroll: ${known ? error.message : String(error)}\n`);
  if (known && (env["MESHROLL_DEBUG"] ?? "") !== "") stderr.write(`${error.stack}\n`);
  else stderr.write("  run it again with MESHROLL_DEBUG=1 and report what it prints\n");
  return exitCodes.failed;
}

/** Runs one command line; the answer is the exit code. Never throws and never ends the process. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = exitCodes.done;
  const invocation: Invocation = { terminal, finish: (finished) => (code = finished) };
  try {
    await makeProgram(invocation).parseAsync(args.length === 0 ? ["help"] : args, { from: "user" });
    return code;
  } catch (error) {
    return reportError(error, terminal);
  }
}
