import { Command } from "commander";

import type { CommandEntry, Invocation } from "./command.ts";
import { readVersion } from "./read-version.ts";
import { canColour } from "./terminal.ts";

/** Every command: to add one, write its file and its line here. */
const commands: readonly CommandEntry[] = [
  { name: "validate", summary: "check rollouts.yml and meshroll.yml", load: () => import("./validate.ts") },
  { name: "assign", summary: "say which revision each namespace gets", load: () => import("./assign.ts") },
  {
    name: "explain",
    summary: "say why one namespace gets its revision, or what a finding means",
    load: () => import("./explain.ts"),
  },
  { name: "init", summary: "record the baseline; moves nothing", load: () => import("./init.ts") },
  {
    name: "status",
    summary: "say where the fleet is, what moves and who is waited for",
    load: () => import("./status.ts"),
  },
  { name: "plan", summary: "say who would move between two states of the file", load: () => import("./plan.ts") },
  { name: "pause", summary: "move nothing there any more", load: () => import("./pause.ts") },
  { name: "resume", summary: "lift pauses: let it move again", load: () => import("./resume.ts") },
  { name: "hold", summary: "propose nothing there any more", load: () => import("./hold.ts") },
  { name: "unhold", summary: "lift holds, a rollback's included", load: () => import("./unhold.ts") },
  { name: "retry", summary: "try again what failed in a run", load: () => import("./retry.ts") },
  { name: "rollback", summary: "take a run back to what main had before", load: () => import("./rollback.ts") },
  { name: "history", summary: "say what was decided, when, why and by whom", load: () => import("./history.ts") },
  { name: "version", summary: "print the version", load: () => import("./version.ts") },
  { name: "help", summary: "show help for a command or topic", load: () => import("./help.ts") },
];

/** Declares the named command in full; the table's other files stay unread. */
async function loadCommand(command: Command, invocation: Invocation): Promise<void> {
  const entry = commands.find(({ name }) => name === command.name());
  const { define } = (await entry?.load()) ?? {};
  define?.(command, invocation);
}

/** The command line, with the table's names and nothing loaded yet. */
export function makeProgram(invocation: Invocation): Command {
  const { stdout, stderr, env } = invocation.terminal;
  const program = new Command("meshroll")
    .description("Moves a fleet from one service-mesh revision to the next by merging pull requests")
    .version(readVersion(), "-V, --version")
    .helpCommand(false)
    // Loaded or not, a command is listed by its name alone.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText("after", "\nhelp COMMAND shows a command's options; help exit-codes lists the exit codes.")
    .showHelpAfterError("run `meshroll help` for the commands")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHasColors: () => canColour(stdout, env),
      getErrHasColors: () => canColour(stderr, env),
    });
  for (const { name, summary } of commands)
    program
      .command(name)
      .summary(summary)
      .description(`${capitalise(summary)}.`);
  program.hook("preSubcommand", (_program, command) => loadCommand(command, invocation));
  return program;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
