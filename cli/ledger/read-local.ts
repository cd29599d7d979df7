import { execFile } from "node:child_process";
import { promisify } from "node:util";

// In a git hook these variables would name another repository.
const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined };

/** Runs git in this clone, without network. */
export async function askLocal(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-C", folder, ...args], { maxBuffer: 2 ** 28, env });
  return stdout;
}

/** The commit of the first of these refs that exists; undefined for none, or where the folder is no repository. */
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

async function readObjects(folder: string, ids: readonly string[]): Promise<Buffer> {
  const asked = promisify(execFile)("git", ["-C", folder, "cat-file", "--batch"], {
    maxBuffer: 2 ** 28,
    encoding: "buffer",
    env,
  });
  asked.child.stdin?.end(ids.map((id) => `${id}\n`).join(""));
  return (await asked).stdout;
}

/** Commits byte by byte, in this order: what a signature is over. */
export async function readCommits(folder: string, ids: readonly string[]): Promise<readonly Buffer[]> {
  const all = await readObjects(folder, ids);
  const found: Buffer[] = [];
  for (let at = 0; at < all.length;) {
    const head = all.indexOf("\n", at);
    const [, , size = ""] = all.toString("latin1", at, head).split(" ");
    const end = head + 1 + Number(size);
    found.push(all.subarray(head + 1, end));
    at = end + 1;
  }
  return found;
}
