import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { promisify } from "node:util";

/** Settings against programs that a repository's own configuration could start. */
const harmless = ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

async function ask(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-C", folder, ...harmless, ...args], {
    env: { ...env, GIT_OPTIONAL_LOCKS: "0" },
  });
  return stdout.trim();
}

/**
 * Whether the folder is in a bare repository. A commit can contain such a folder, with settings that name programs to run and
 * addresses to send tokens to. A normal clone has a `.git` instead.
 */
async function isInsideRepository(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  let found: string;
  try {
    found = realpathSync(await ask(folder, ["rev-parse", "--absolute-git-dir"], env));
  } catch {
    return false; // No repository: only the person's own settings apply.
  }
  return `${realpathSync(folder)}${sep}`.startsWith(`${found}${sep}`);
}

/** git's answer in the checkout around a folder; undefined where there is none, and where git refuses. */
export async function askCheckout(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  try {
    return (await isInsideRepository(folder, env)) ? undefined : await ask(folder, args, env);
  } catch {
    return undefined; // No checkout, no git, or no such value.
  }
}
