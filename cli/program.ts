import { Command } from "commander";

import { argumentDescription, optionDescription } from "./text/option-text.ts";
import type { CommandEntry, Invocation } from "./terminal/command.ts";
import { findCalledName } from "./terminal/called-as.ts";
import { topics } from "./show/help-topics.ts";
import { addSessionOptions, applySessionOptions } from "./session/session-options.ts";
import { readVersion } from "./terminal/read-version.ts";
import { say, canColour } from "./terminal/terminal.ts";
import { columns, wrapText } from "./text/wrap-text.ts";

/** All commands. To add one, write its file and a line here. */
const commands: readonly CommandEntry[] = [
  {
    name: "validate",
    summary: "check rollouts.yml, meshroll.yml and campaigns",
    load: () => import("./commands/validate.ts"),
  },
  { name: "assign", summary: "print the revision each namespace gets", load: () => import("./commands/assign.ts") },
  {
    name: "mutate",
    summary: "write each workload's revision into manifests; for CI",
    load: () => import("./commands/build/mutate.ts"),
  },
  {
    name: "explain",
    summary: "explain the revision of a namespace, or a finding",
    load: () => import("./commands/explain.ts"),
  },
  { name: "init", summary: "record the baseline; moves nothing", load: () => import("./commands/setup/init.ts") },
  {
    name: "status",
    summary: "show the state of the fleet, what moves and what it waits for",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "watch",
    summary: "show the status live; piped, print the changes",
    load: () => import("./commands/watch.ts"),
  },
  {
    name: "wait",
    summary: "wait until a campaign or stage reaches a condition; for CI",
    load: () => import("./commands/wait.ts"),
  },
  { name: "get", summary: "list resources of one kind", load: () => import("./commands/get.ts") },
  {
    name: "describe",
    summary: "show one resource in full, with its history",
    load: () => import("./commands/describe/describe.ts"),
  },
  {
    name: "plan",
    summary: "show what would move between two states of the file",
    load: () => import("./commands/plan.ts"),
  },
  {
    name: "start",
    summary: "bring a campaign to main, by a pull request",
    load: () => import("./commands/change/start.ts"),
  },
  {
    name: "finish",
    summary: "clean up after a campaign, by a pull request",
    load: () => import("./commands/change/finish.ts"),
  },
  {
    name: "retire",
    summary: "show who still uses a revision; certify that it is free",
    load: () => import("./commands/setup/retire.ts"),
  },
  {
    name: "pin",
    summary: "keep one namespace on a revision, by a pull request",
    load: () => import("./commands/change/pin.ts"),
  },
  { name: "unpin", summary: "remove a pin, by a pull request", load: () => import("./commands/change/unpin.ts") },
  {
    name: "simulate",
    summary: "predict when a campaign ends, and what delays it",
    load: () => import("./commands/simulate.ts"),
  },
  {
    name: "pause",
    summary: "stop moving workloads; in-flight rollouts continue",
    load: () => import("./commands/change/pause.ts"),
  },
  { name: "resume", summary: "end pauses: workloads move again", load: () => import("./commands/change/resume.ts") },
  {
    name: "hold",
    summary: "stop proposing stages; merged changes continue",
    load: () => import("./commands/change/hold.ts"),
  },
  {
    name: "unhold",
    summary: "end holds, including those of a rollback",
    load: () => import("./commands/change/unhold.ts"),
  },
  {
    name: "converge",
    summary: "bring workloads that differ from main back to it",
    load: () => import("./commands/change/converge.ts"),
  },
  { name: "retry", summary: "retry the failed workloads of a run", load: () => import("./commands/change/retry.ts") },
  {
    name: "rollback",
    summary: "roll a run back to what main had before",
    load: () => import("./commands/change/rollback.ts"),
  },
  {
    name: "history",
    summary: "show what was decided, when, why and by whom",
    load: () => import("./commands/history.ts"),
  },
  {
    name: "ledger",
    summary: "check that the ledger can be read, and repair it",
    load: () => import("./commands/change/ledger.ts"),
  },
  {
    name: "artifact",
    summary: "build, sign and verify what agents of VMs install",
    load: () => import("./commands/setup/artifact.ts"),
  },
  {
    name: "vms",
    summary: "make the token with which VMs of a group register",
    load: () => import("./commands/setup/vms.ts"),
  },
  {
    name: "doctor",
    summary: "check everything meshroll needs, one line per check",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "github",
    summary: "print the form that registers a GitHub App",
    load: () => import("./commands/setup/github.ts"),
  },
  {
    name: "context",
    summary: "choose which fleet the commands are about, or show it",
    load: () => import("./commands/setup/context.ts"),
  },
  {
    name: "completion",
    summary: "print a script that completes meshroll's commands in a shell",
    load: () => import("./commands/setup/completion.ts"),
  },
  { name: "version", summary: "print the version", load: () => import("./commands/version.ts") },
  { name: "help", summary: "show help for a command or topic", load: () => import("./commands/setup/help.ts") },
];

/** Declares one command in full, without loading the others. */
async function loadCommand(command: Command, invocation: Invocation): Promise<void> {
  const entry = commands.find(({ name }) => name === command.name());
  const { define } = (await entry?.load()) ?? {};
  define?.(command, invocation);
  addSessionOptions(command);
  showUsage(command);
}

/** Required options are shown in the usage, which commander does not do. */
function showUsage(command: Command): void {
  const required = command.options
    .filter(({ mandatory }) => mandatory)
    .map(({ flags }) => flags.replace(/^-\w, /u, ""));
  if (required.length > 0) command.usage(command.usage().replace("[options]", ["[options]", ...required].join(" ")));
  const usage = wrapText(`usage: ${command.parent?.name() ?? "meshroll"} ${command.name()} ${command.usage()}`);
  command.showHelpAfterError(
    [...usage, `run \`${command.parent?.name() ?? "meshroll"} help ${command.name()}\` for its options`].join("\n"),
  );
}

/** Every command declared in full. */
export async function loadProgram(invocation: Invocation): Promise<Command> {
  const program = makeProgram(invocation);
  for (const command of program.commands) await loadCommand(command, invocation);
  return program;
}

/** One command declared in full; undefined for a name that no command has. */
export async function loadNamed(name: string, invocation: Invocation): Promise<Command | undefined> {
  const command = makeProgram(invocation).commands.find((each) => each.name() === name);
  if (command !== undefined) await loadCommand(command, invocation);
  return command;
}

/** The command line with the names of all commands, none of them loaded. */
export function makeProgram(invocation: Invocation): Command {
  const { stdout, stderr, env } = invocation.terminal;
  const name = findCalledName({ env });
  // `npx` is how the program was started, and no part of its usage.
  const program = new Command(name.replace(/^npx /u, ""))
    .description("Moves a fleet from one service-mesh revision to the next by merging pull requests")
    .version(readVersion(), "-V, --version")
    .helpCommand(false)
    // Commands are listed by name only, loaded or not.
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription, argumentDescription })
    .addHelpText("after", `\nhelp COMMAND shows a command's options.\nTopics: ${Object.keys(topics).join(", ")}.`)
    .showHelpAfterError("run `meshroll help` for the commands")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => say(stdout, wrapText(text).join("\n")),
      writeErr: (text) => say(stderr, text),
      outputError: (text, writeError) => writeError(`${wrapText(text.trimEnd()).join("\n")}\n`),
      // Lines stay readable on wide terminals.
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      getOutHasColors: () => canColour(stdout, env),
      getErrHasColors: () => canColour(stderr, env),
    });
  for (const { name, summary } of commands)
    program
      .command(name)
      .summary(summary)
      .description(`${capitalise(summary)}.`);
  program.hook("preSubcommand", (_program, command) => loadCommand(command, invocation));
  program.hook("preAction", (_program, command) => applySessionOptions(command, invocation.session));
  return program;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
