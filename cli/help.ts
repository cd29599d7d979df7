import type { Command } from "commander";

import type { Define } from "./command.ts";
import { exitMeanings } from "./exit-codes.ts";

function printExitCodes(): string {
  const rows = exitMeanings.map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`);
  return `Exit codes\n\n${rows.join("\n")}\n`;
}

/** Texts that belong to no single command. */
const topics: Readonly<Record<string, () => string>> = { "exit-codes": printExitCodes };

/** The program answers for its commands; a name that it does not know ends there too, with its suggestion. */
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
      const print = name !== undefined && Object.hasOwn(topics, name) ? topics[name] : undefined;
      if (print === undefined) await helpWith(command.parent, name);
      else terminal.stdout.write(print());
    });
};
