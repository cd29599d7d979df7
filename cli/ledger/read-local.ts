import { execFile } from "node:child_process";
import { promisify } from "node:util";

// In a git hook these variables would name another repository.
const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined };

/** Runs git in this clone, without network. */
export async function askLocal(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-C", folder, ...args], { maxBuffer: 2 ** 28, env });
  return stdout;
}

/** The commit of the first of these refs that exists; undefined for none, or where the folder is not a repository. */
export async function findRef(folder: string, refs: readonly string[]): Promise<string | undefined> {
  for (const ref of refs) {
    try {
      return (await askLocal(folder, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`)).trim();
    } catch {
      // This ref does not exist.
    }
  }
  return undefined;
}
