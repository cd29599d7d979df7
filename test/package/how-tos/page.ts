import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const folderOfPages = fileURLToPath(new URL("../../../docs/how-to/", import.meta.url));

/** A comment at the end of a command line. */
const comment = /\s+#\s.*$/u;

/** The commands of a block: one a line, or several lines for a here-document. */
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

/** All commands of a how-to, in the order of the page. */
export function readCommands(name: string): readonly string[] {
  const path = `${folderOfPages}${name}.md`;
  const blocks = readFileSync(path, "utf8").matchAll(/^[ ]*```sh\n(.*?)^[ ]*```$/gmsu);
  return [...blocks].flatMap((match) => listCommands(match[1] ?? ""));
}

/** The first YAML block of a page, which the reader writes into a file. */
export function readYaml(name: string): string {
  const path = `${folderOfPages}${name}.md`;
  return /^```yaml\n(.*?)^```$/msu.exec(readFileSync(path, "utf8"))?.[1] ?? "";
}
