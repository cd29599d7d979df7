import type { Terminal } from "./terminal.ts";

/** What to put before a command's name so that the person who typed this one can type that one: npx tells that it ran us. */
function findPrefix({ env }: Pick<Terminal, "env">): string {
  return env["npm_command"] === "exec" || env["npm_lifecycle_event"] === "npx" ? "npx " : "";
}

/** A command of ours as it has to be typed here; any other stays as it is. */
export function sayCommand(command: string, terminal: Pick<Terminal, "env">): string {
  return command.startsWith("meshroll ") ? `${findPrefix(terminal)}${command}` : command;
}

const verbs =
  "assign|completion|doctor|explain|finish|get|help|history|hold|init|ledger|pause|pin|plan|resume|retry|rollback|" +
  "simulate|start|status|unhold|unpin|validate|version|wait|watch";

/** Where a text shows what to type: on a line of its own, after two blanks or a colon, or quoted. A sentence about us is none. */
const shown = new RegExp(String.raw`(^| {2}|[:\x60] ?)(meshroll (?:${verbs})(?![a-z]))`, "gmu");

/** A text for people with every command of ours in it as it has to be typed here. */
export function sayCommands(text: string, terminal: Pick<Terminal, "env">): string {
  const prefix = findPrefix(terminal);
  return prefix === "" ? text : text.replaceAll(shown, `$1${prefix}$2`);
}
