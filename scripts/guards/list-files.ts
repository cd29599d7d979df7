import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Paths of all files that git tracks or would track, sorted. What is not added yet counts too: a guard that speaks only
 * after the commit is late. Throws when `root` is not a git checkout.
 */
export function listFiles(root: string): readonly string[] {
  // A checkout owned by another user (CI, a container) is "dubious" to git; reading names from it is harmless.
  const args = ["-c", `safe.directory=${root}`, "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const paths = new Set(names.split("\0").filter((name) => name !== ""));
  // Deleted but not yet committed: still in git's list, no longer on disk.
  return [...paths].filter((path) => existsSync(join(root, path))).toSorted();
}
