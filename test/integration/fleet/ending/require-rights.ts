import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Fails when a broker refused a service one of its calls: such a service did less than it should, and the outcome of a test may
 * not show it.
 */
export function requireRights(folder: string): void {
  const refused = readdirSync(folder)
    .filter((name) => name.endsWith(".log"))
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), "utf8").split("\n");
      const line = lines.find((text) => /(?:Bus|Queue)RightMissing/.test(text));
      return line === undefined ? [] : [`${name}: ${line}`];
    });
  if (refused.length > 0) throw new Error(`a broker refused a service what it needs\n${refused.join("\n")}`);
}
