import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

const commitId = /^[0-9a-f]{40}$/;

async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    // A ref may be deleted or packed after it was listed.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

async function readPacked(repoPath: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const line of (await readIfPresent(join(repoPath, "packed-refs"))).split("\n")) {
    const [sha = "", ref = ""] = line.split(" ");
    if (commitId.test(sha) && ref.startsWith("refs/heads/")) found.set(ref.slice("refs/heads/".length), sha);
  }
  return found;
}

/**
 * Commit ids by branch, read from git's own files: each request needs them, and a git process would cost more than the rest of
 * the answer.
 */
export async function readBranches(repoPath: string): Promise<ReadonlyMap<string, string>> {
  const heads = join(repoPath, "refs", "heads");
  const loose = new Map<string, string>();
  // Loose refs first: git writes the packed file before it deletes them, so no ref is missed.
  for (const entry of await readdir(heads, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith(".lock")) continue;
    const path = join(entry.parentPath, entry.name);
    const sha = (await readIfPresent(path)).trim();
    if (commitId.test(sha)) loose.set(relative(heads, path), sha);
  }
  const merged = await readPacked(repoPath);
  for (const [branch, sha] of loose) merged.set(branch, sha);
  return new Map([...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
