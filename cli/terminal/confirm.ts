import { createInterface } from "node:readline/promises";

import { exitCodes } from "./exit-codes.ts";
import { Refusal } from "./refusal.ts";
import type { Terminal } from "./terminal.ts";

/** Refuses without a terminal to confirm on, before anything is read. */
export function requirePerson({ stdin }: Pick<Terminal, "stdin">): void {
  if (stdin.isTTY === true) return;
  throw new Refusal(exitCodes.usage, "cannot ask for confirmation: stdin is not a terminal", "add -y to confirm");
}

/** Asks a person to type a word, so that nothing is done by mistake. */
export async function confirm(word: string, { stdin, stderr }: Terminal): Promise<void> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const typed = await Promise.race([
      lines.question(`Type ${word} to confirm: `),
      new Promise<string>((resolve) => lines.once("close", () => resolve(""))),
    ]);
    // A run's id is asked for, and `run/ID` is what was typed on the command line.
    if ([word, `run/${word}`].includes(typed.trim())) return;
  } finally {
    lines.close();
  }
  throw new Refusal(exitCodes.failed, "nothing was done: the typed text does not match");
}
