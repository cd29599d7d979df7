import { execFile } from "node:child_process";
import { promisify } from "node:util";

// Called from a hook, git would be told of another repository than the one that is meant.
const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined };

/** What git says in this clone, without any network. */
export async function askLocal(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-C", folder, ...args], { maxBuffer: 2 ** 28, env });
  return stdout;
}

/** The commit of the first of these refs that there is; undefined for none, or where the folder is no repository. */
export async function findRef(folder: string, refs: readonly string[]): Promise<string | undefined> {
  for (const ref of refs) {
    try {
      return (await askLocal(folder, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`)).trim();
    } catch {
      // Not this one.
    }
  }
  return undefined;
}
