import { findKindNamed, type Kind } from "../../names/kinds.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Sentence } from "../../terminal/sentence.ts";

/** Here each kind has a command of its own in place of `kubectl describe`. */
function nameCommand(kind: Kind | undefined, name: string): string {
  if (kind === undefined) return "meshroll get KIND NAME -o yaml";
  if (kind === "namespaces") return `meshroll explain ${name}`;
  if (kind === "campaigns") return `meshroll status ${name}`;
  return kind === "runs" ? `meshroll get run/${name} -o yaml` : `meshroll get ${kind} ${name} -o yaml`;
}

/** `meshroll describe KIND NAME`: names the command to use instead. */
export const define: Define = (command) => {
  command
    .argument("[kind]", "a kind that get lists, or KIND/NAME")
    .argument("[name]", "its name")
    .action((word: string | undefined, given: string | undefined) => {
      const [head = "", tail = given] = word?.split("/", 2) ?? [];
      const kind = findKindNamed(head);
      const help: Sentence = [{ command: nameCommand(tail === undefined ? undefined : kind, tail ?? "") }];
      throw new Refusal(exitCodes.usage, "there is no describe: other commands show this", help);
    });
};
