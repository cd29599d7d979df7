import type { Sentence } from "./sentence.ts";
import type { Terminal } from "./terminal.ts";

/** The environment tells how the program was called. */
export type Caller = Pick<Terminal, "env">;

/** Set by `main.ts` where the started file's name matters: kubectl runs plugins by file name. */
export const calledAs = "MESHROLL_CALLED_AS";

/** The name to type for this program. */
export function findCalledName(caller: Caller): string {
  return `${findPrefix(caller)}meshroll`;
}

/** The prefix for commands, such as `npx`, so that a person can type what is printed. */
function findPrefix({ env }: Caller): string {
  if (env[calledAs] === "kubectl meshroll") return "kubectl ";
  return env["npm_command"] === "exec" || env["npm_lifecycle_event"] === "npx" ? "npx " : "";
}

/** One of our commands as it is typed here; other commands are unchanged. */
export function sayCommand(command: string, caller: Caller): string {
  return command.startsWith("meshroll ") ? `${findPrefix(caller)}${command}` : command;
}

/** A sentence with all commands as they are typed here. */
export function sayCommands(sentence: Sentence, caller: Caller): Sentence {
  if (typeof sentence === "string") return sentence;
  return sentence.map((part) => (typeof part === "string" ? part : { command: sayCommand(part.command, caller) }));
}
