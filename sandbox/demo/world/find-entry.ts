import { existsSync } from "node:fs";
import { join } from "node:path";

/** The main file of a folder of a build: TypeScript in a checkout, JavaScript in the npm package. */
export function findEntry(build: string, folder: string): string {
  const written = join(build, folder, "main.ts");
  return existsSync(written) ? written : join(build, folder, "main.js");
}
