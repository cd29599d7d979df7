import type { Terminal } from "./terminal.ts";

/** What to put before a command's name so that the person who typed this one can type that one: npx tells that it ran us. */
function findPrefix({ env }: Pick<Terminal, "env">): string {
  return env["npm_command"] === "exec" || env["npm_lifecycle_event"] === "npx" ? "npx " : "";
}

/** A command of ours as it has to be typed here; any other stays as it is. */
export function sayCommand(command: string, terminal: Pick<Terminal, "env">): string {
  return command.startsWith("meshroll ") ? `${findPrefix(terminal)}${command}` : command;
}
