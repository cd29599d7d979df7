import type { Sentence } from "./sentence.ts";
import type { Terminal } from "./terminal.ts";

/** Whose environment tells how we were called. */
export type Caller = Pick<Terminal, "env">;

/** What `main.ts` sets where the file that was started says more than that: kubectl runs a plugin by the name of its file. */
export const calledAs = "MESHROLL_CALLED_AS";

/** The name of the command line, as it has to be typed. */
export function findCalledName(caller: Caller): string {
  return `${findPrefix(caller)}meshroll`;
}

/** What to put before a command's name so that the person who typed this one can type that one: npx tells that it ran us. */
function findPrefix({ env }: Caller): string {
  if (env[calledAs] === "kubectl meshroll") return "kubectl ";
  return env["npm_command"] === "exec" || env["npm_lifecycle_event"] === "npx" ? "npx " : "";
}

/** A command of ours as it has to be typed here; any other stays as it is. */
export function sayCommand(command: string, caller: Caller): string {
  return command.startsWith("meshroll ") ? `${findPrefix(caller)}${command}` : command;
}

/** A sentence with every command in it as it has to be typed here. */
export function sayCommands(sentence: Sentence, caller: Caller): Sentence {
  if (typeof sentence === "string") return sentence;
  return sentence.map((part) => (typeof part === "string" ? part : { command: sayCommand(part.command, caller) }));
}
