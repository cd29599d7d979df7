import { Argument } from "commander";

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
} as const satisfies Readonly<Record<string, (commands: readonly CommandShape[]) => string>>;

/** `meshroll completion SHELL`: a script made of the command table, so that it never knows less than the command line. */
export const define: Define = (command, invocation) => {
  command
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(writers)))
    .addHelpText("after", "\nThe script's first lines say how to use it, now and for good.")
    .action(async (shell: keyof typeof writers) => {
      const commands = describeProgram(await invocation.loadProgram());
      await write(invocation.terminal.stdout, writers[shell](commands));
    });
};
