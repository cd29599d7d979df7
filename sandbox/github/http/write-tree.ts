import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { BareRepository } from "../git/bare-repository.ts";
import { refuseValidation } from "./http-error.ts";

/** A path that gets a blob, or loses what it has (null). */
export type TreeChange =
  | { readonly path: string; readonly sha: null }
  | { readonly path: string; readonly sha: string; readonly mode: string };

function requirePath(path: string): string {
  const bad = path
    .split("/")
    .some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git");
  // eslint-disable-next-line no-control-regex -- a line end would start another entry of the index
  if (bad || /[\u0000-\u001f]/.test(path))
    throw refuseValidation("Tree", "tree.path contains a malformed path component");
  return path;
}

/** Makes a tree from another one (undefined = empty) by an index of its own; no checkout. */
export async function writeTree(
  repository: BareRepository,
  base: string | undefined,
  changes: readonly TreeChange[],
): Promise<string> {
  const index = join(repository.path, `index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  const nothing = "0".repeat(40);
  const lines = changes.map((change) => {
    const path = requirePath(change.path);
    return change.sha === null ? `0 ${nothing}\t${path}\0` : `${change.mode} ${change.sha}\t${path}\0`;
  });
  try {
    await repository.git(base === undefined ? ["read-tree", "--empty"] : ["read-tree", base], { env });
    if (lines.length > 0)
      await repository.git(["update-index", "-z", "--add", "--replace", "--index-info"], {
        env,
        input: lines.join(""),
      });
    return await repository.git(["write-tree"], { env });
  } finally {
    await rm(index, { force: true });
  }
}
