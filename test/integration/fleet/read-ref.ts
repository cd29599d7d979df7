import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a branch of a bare repository is, without starting a process for it; undefined when there is none. */
export function readRef(repository: string, ref: string): string | undefined {
  try {
    return readFileSync(join(repository, ref), "utf8").trim();
  } catch {
    return undefined; // Not there, or packed: then it did not move lately.
  }
}
