import type { Define } from "../terminal/command.ts";
import { addOutputOption, type OutputOptions } from "../options/output-option.ts";
import { readVersion } from "../terminal/read-version.ts";
import { say } from "../terminal/terminal.ts";

/** `meshroll version`: the versions of meshroll, of Node and of the assignment algorithm. */
export const define: Define = (command, { terminal }) => {
  addOutputOption(command, ["human", "json"]).action(({ output }: OutputOptions<"human" | "json">) => {
    const facts = { version: readVersion(), assignment: "wrh1", node: process.versions.node };
    const text =
      output === "json"
        ? JSON.stringify({ apiVersion: "meshroll.dev/v1", kind: "Version", ...facts })
        : `meshroll ${facts.version} (assignment wrh1, Node ${facts.node})`;
    say(terminal.stdout, `${text}\n`);
  });
};
