import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";

/** The rules of .dockerignore in their order: the last one that matches a path or a folder above it counts. */
const rules = readFileSync(new URL("../../.dockerignore", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ isKept: line.startsWith("!"), pattern: line.replace(/^!/, "") }));

/** Docker's `*` matches names with a leading dot, Node's does not; so leading dots are replaced. */
function nameDots(path: string): string {
  return path.replaceAll(/(^|\/)\./g, "$1dot.");
}

/** True for a path of the checkout that a build of the image can copy. */
export function isSent(path: string): boolean {
  const above = nameDots(path)
    .split("/")
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  return rules.findLast(({ pattern }) => above.some((each) => matchesGlob(each, nameDots(pattern))))?.isKept ?? true;
}
