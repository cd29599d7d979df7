import { CommanderError } from "commander";

import type { Invocation } from "./terminal/command.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { loadNamed, loadProgram, makeProgram } from "./program.ts";
import { Refusal } from "./terminal/refusal.ts";
import { indentSentence } from "./terminal/sentence.ts";
import { openSession, type Session } from "./terminal/session.ts";
import { say, type Terminal } from "./terminal/terminal.ts";
import { applyContext, mayHaveContext } from "./session/session-options.ts";
import { findBus } from "./read/with-bus.ts";
import { wrapSentences } from "./text/wrap-text.ts";

/** Reports an error and returns its exit code. */
function reportError(error: unknown, { stderr, env }: Terminal): number {
  // Commander has printed its message; help and version are exits with code 0.
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

/** Called by shells for completion; not listed. */
export const completeVerb = "__complete";

/** Called by kubectl's completion, as `kubectl_complete-meshroll`. */
export const kubectlCompleteVerb = "__complete-kubectl";

/** One value per line. Errors are not shown at a prompt: there are no completions then. */
async function complete(words: readonly string[], invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  try {
    const { completeLine } = await import("./completion/complete-line.ts");
    await applyContext(undefined, invocation.session);
    const values = await completeLine(words, async (name) => loadNamed(name, invocation), terminal);
    if (values.length > 0) say(terminal.stdout, `${values.join("\n")}\n`);
    return exitCodes.done;
  } catch {
    return exitCodes.failed;
  }
}

/** The same for kubectl, which does not know our commands: commands and flags too, and a directive at the end (KEP 2379). */
async function completeForKubectl(words: readonly string[], invocation: Invocation): Promise<number> {
  const { terminal, loadProgram: load } = invocation;
  const typed = words.at(-1) ?? "";
  const program = await load();
  const names = program.commands.map((command) => command.name());
  const flags = program.commands
    .find((command) => command.name() === words[0])
    ?.options.flatMap(({ long }) => long ?? []);
  const known = words.length <= 1 ? names : typed.startsWith("-") ? (flags ?? []) : undefined;
  const found = known?.filter((each) => each.startsWith(typed)) ?? [];
  if (found.length > 0) say(terminal.stdout, `${found.join("\n")}\n`);
  const code = known === undefined ? await complete(words, invocation) : exitCodes.done;
  // 4 = no file names.
  say(terminal.stdout, ":4\n");
  return code;
}

/** Called by the package's build: all manual pages by file name. */
const manualVerb = "__manual";

async function printManual({ terminal, loadProgram: load }: Invocation): Promise<number> {
  const { writeManual } = await import("./manual/write-manual.ts");
  const { readVersion } = await import("./terminal/read-version.ts");
  say(terminal.stdout, `${JSON.stringify(writeManual(await load(), readVersion()))}\n`);
  return exitCodes.done;
}

/** Whether the current context names a bus. */
async function hasBus(session: Session): Promise<boolean> {
  if (!mayHaveContext(undefined, session)) return false;
  const { chooseContext } = await import("./contexts/load-config.ts");
  return chooseContext(undefined, session.terminal)?.context.nats !== undefined;
}

/** Without arguments: where the fleet is and what to type next, if a bus is known; else the help. */
async function runBare(invocation: Invocation): Promise<void> {
  const { terminal, session } = invocation;
  const isKnown = findBus({}, terminal) !== undefined || (await hasBus(session));
  await makeProgram(invocation).parseAsync([isKnown ? "status" : "help"], { from: "user" });
  if (!isKnown) return;
  const { printAnswer } = await import("./show/status/print-answers.ts");
  const next = printAnswer(
    "next",
    ["meshroll watch", "meshroll history", "meshroll help"].map((command) => [{ command }]),
    { terminal },
  );
  say(terminal.stdout, `\n${next}\n`);
}

async function act(args: readonly string[], invocation: Invocation): Promise<void> {
  const { finish } = invocation;
  if (args[0] === completeVerb) finish(await complete(args.slice(1), invocation));
  else if (args[0] === manualVerb) finish(await printManual(invocation));
  else if (args[0] === kubectlCompleteVerb) finish(await completeForKubectl(args.slice(1), invocation));
  else if (args.length === 0) await runBare(invocation);
  else await makeProgram(invocation).parseAsync(args, { from: "user" });
}

/** Runs one command line and returns the exit code. Never throws and never ends the process. */
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
  const told = new Set<unknown>();
  for (const work of [async () => act(args, invocation), async () => session.close()]) {
    try {
      await work();
    } catch (error) {
      // An output error is thrown by the write and again at the end of the output.
      if (!told.has(error)) code = reportError(error, terminal);
      told.add(error);
    }
  }
  return code;
}
