import { lookUp } from "#libs/input";
import type { Command } from "commander";

import type { Define } from "../../terminal/command.ts";
import { topics } from "../../show/help-topics.ts";
import { say } from "../../terminal/terminal.ts";

/** Prints the help of a command; an unknown name is refused with a suggestion. */
async function helpWith(program: Command | null, name: string | undefined): Promise<void> {
  const isKnown = program?.commands.some((command) => command.name() === name) === true;
  const args = name === undefined ? ["--help"] : isKnown ? [name, "--help"] : [name];
  await program?.parseAsync(args, { from: "user" });
}

/** `meshroll help [COMMAND|TOPIC]`. */
export const define: Define = (command, { terminal }) => {
  command
    .argument("[topic]", `a command, or a topic: ${Object.keys(topics).join(", ")}`)
    .action(async (name: string | undefined) => {
      const print = name !== undefined && Object.hasOwn(topics, name) ? lookUp(topics, name) : undefined;
      if (print === undefined) await helpWith(command.parent, name);
      else say(terminal.stdout, print());
    });
};
