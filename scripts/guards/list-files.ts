import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Paths of all files that git tracks or would track, sorted. Untracked files count, so that a guard complains before the
 * commit. Throws when `root` is not a git checkout.
 */
export function listFiles(root: string): readonly string[] {
  // Git refuses a checkout owned by another user (CI, a container); listing its names is harmless.
  const args = ["-c", `safe.directory=${root}`, "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const paths = new Set(names.split("\0").filter((name) => name !== ""));
  // Deleted files stay in git's list until the commit.
  return [...paths].filter((path) => existsSync(join(root, path))).toSorted();
}
