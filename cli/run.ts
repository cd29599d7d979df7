import { CommanderError } from "commander";

import type { Invocation } from "./terminal/command.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { loadNamed, loadProgram, makeProgram } from "./program.ts";
import { Refusal } from "./terminal/refusal.ts";
import { indentSentence } from "./terminal/sentence.ts";
import { openSession } from "./terminal/session.ts";
import { say, type Terminal } from "./terminal/terminal.ts";
import { chooseContext } from "./contexts/load-config.ts";
import { useContext } from "./contexts/use-context.ts";
import { findBus } from "./read/with-bus.ts";
import { wrapSentences } from "./text/wrap-text.ts";

/** Tells a person what went wrong and returns the exit code for it. */
function reportError(error: unknown, { stderr, env }: Terminal): number {
  // Commander has already written its message; help and version arrive here too, as exits with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof Refusal) {
    const lines = [`meshroll: ${error.message}`, ...error.help.map((each) => indentSentence(each))];
    say(stderr, `${wrapSentences(lines, { env }).join("\n")}\n`);
    return error.exitCode;
  }
  const known = error instanceof Error;
  say(stderr, `meshroll: this is a bug in meshroll: ${known ? error.message : String(error)}\n`);
  if (known && (env["MESHROLL_DEBUG"] ?? "") !== "") say(stderr, `${error.stack}\n`);
  else say(stderr, "  run it again with MESHROLL_DEBUG=1 and report what it prints\n");
  return exitCodes.failed;
}

/** What shells call for completion; listed nowhere, since people do not type it. */
export const completeVerb = "__complete";

/** One value a line. Who stands at a prompt is told nothing of what went wrong: nothing is offered then. */
async function complete(words: readonly string[], invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  try {
    const { completeLine } = await import("./completion/complete-line.ts");
    useContext(undefined, invocation.session);
    const values = await completeLine(words, async (name) => loadNamed(name, invocation), terminal);
    if (values.length > 0) say(terminal.stdout, `${values.join("\n")}\n`);
    return exitCodes.done;
  } catch {
    return exitCodes.failed;
  }
}

/** Typed alone it says where the fleet is and what to type next, where a bus is known (ux.md §2.1); else what there is to type. */
async function runBare(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const isKnown = findBus({}, terminal) !== undefined || chooseContext(undefined, terminal)?.context.nats !== undefined;
  await makeProgram(invocation).parseAsync([isKnown ? "status" : "help"], { from: "user" });
  if (!isKnown) return;
  const { printAnswer } = await import("./show/status/print-answers.ts");
  const next = printAnswer(
    "next",
    ["meshroll watch", "meshroll history", "meshroll help"].map((command) => [{ command }]),
    terminal,
  );
  say(terminal.stdout, `\n${next}\n`);
}

/** Runs one command line; the answer is the exit code. Never throws and never ends the process. */
export async function run(args: readonly string[], given: Terminal): Promise<number> {
  let code = exitCodes.done;
  const session = openSession(given);
  const { terminal } = session;
  const invocation: Invocation = {
    terminal,
    session,
    finish: (finished) => (code = finished),
    loadProgram: async () => loadProgram(invocation),
  };
  try {
    if (args[0] === completeVerb) return await complete(args.slice(1), invocation);
    if (args.length === 0) await runBare(invocation);
    else await makeProgram(invocation).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return reportError(error, terminal);
  } finally {
    await session.close();
  }
}
