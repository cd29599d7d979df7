import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The commit of a branch in a bare repository, read without starting a process; undefined when there is none. */
export function readRef(repository: string, ref: string): string | undefined {
  try {
    return readFileSync(join(repository, ref), "utf8").trim();
  } catch {
    return undefined; // Missing, or packed: then it has not moved lately.
  }
}
