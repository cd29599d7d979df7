import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const folderOfPages = fileURLToPath(new URL("../../../docs/how-to/", import.meta.url));

/** Of a line, what a shell would not run. */
const comment = /\s+#\s.*$/u;

/** Commands of one block: a line each, but for a text that goes on to its END. */
function listCommands(block: string): readonly string[] {
  const commands: string[] = [];
  let inText: string | undefined;
  for (const line of block.split("\n").map((each) => each.trim())) {
    if (inText === undefined) {
      if (line !== "" && !line.startsWith("#")) commands.push(line.replace(comment, ""));
      inText = /<<'(\w+)'$/u.exec(line)?.[1];
    } else {
      commands.push(`${commands.pop()}\n${line}`);
      if (line === inText) inText = undefined;
    }
  }
  return commands;
}

/** What a how-to tells its reader to type, in the order of the page. */
export function readCommands(name: string): readonly string[] {
  const path = `${folderOfPages}${name}.md`;
  const blocks = readFileSync(path, "utf8").matchAll(/^[ ]*```sh\n(.*?)^[ ]*```$/gmsu);
  return [...blocks].flatMap((match) => listCommands(match[1] ?? ""));
}

/** The file that a page tells its reader to write: its first block of YAML. */
export function readYaml(name: string): string {
  const path = `${folderOfPages}${name}.md`;
  return /^```yaml\n(.*?)^```$/msu.exec(readFileSync(path, "utf8"))?.[1] ?? "";
}
