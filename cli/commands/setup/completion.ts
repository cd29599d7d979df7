import { Argument, InvalidArgumentError } from "commander";

import type { Define } from "../../terminal/command.ts";
import { writeBash } from "../../completion/bash.ts";
import { writeFish } from "../../completion/fish.ts";
import { writePowershell } from "../../completion/powershell.ts";
import { type CommandShape, describeProgram } from "../../completion/shape.ts";
import { writeZsh } from "../../completion/zsh.ts";
import { write } from "../../terminal/terminal.ts";

const writers = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
  powershell: writePowershell,
} as const satisfies Readonly<Record<string, (commands: readonly CommandShape[], program: string) => string>>;

/** The name becomes a part of the script. */
function readName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,62}$/u.test(text)) return text;
  throw new InvalidArgumentError("say it in letters, digits, ., _ and -");
}

/** `meshroll completion SHELL`: a script made from the command table, so that it always matches it. */
export const define: Define = (command, invocation) => {
  command
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(writers)))
    .addHelpText("after", "\nThe script's first lines say how to use it, now and permanently.")
    .option("--as <name>", "the command's name, where it is an alias or a link", readName, "meshroll")
    .action(async (shell: keyof typeof writers, { as }: { readonly as: string }) => {
      const commands = describeProgram(await invocation.loadProgram());
      await write(invocation.terminal.stdout, writers[shell](commands, as));
    });
};
