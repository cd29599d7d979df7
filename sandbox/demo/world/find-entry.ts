import { existsSync } from "node:fs";
import { join } from "node:path";

/** The main file of a folder below this root: TypeScript in a checkout, JavaScript in the npm package. */
export function findEntry(root: string, folder: string): string {
  const written = join(root, folder, "main.ts");
  return existsSync(written) ? written : join(root, folder, "main.js");
}
