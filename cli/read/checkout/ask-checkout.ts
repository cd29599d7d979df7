import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { promisify } from "node:util";

/** What a repository's own settings may not make git do while it answers a question: run a program. */
const harmless = ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

async function ask(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-C", folder, ...harmless, ...args], {
    env: { ...env, GIT_OPTIONAL_LOCKS: "0" },
  });
  return stdout.trim();
}

/**
 * True where git takes the folder itself, or one above it, for a bare repository: a commit can bring such a folder along, with
 * settings that name programs to run and addresses to send tokens to. What `git clone` makes is found by its `.git` instead.
 */
async function isInsideRepository(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  let found: string;
  try {
    found = realpathSync(await ask(folder, ["rev-parse", "--absolute-git-dir"], env));
  } catch {
    return false; // No repository at all: there are only this person's own settings.
  }
  return `${realpathSync(folder)}${sep}`.startsWith(`${found}${sep}`);
}

/** What git answers in the checkout around a folder; undefined where there is none, and where git refuses. */
export async function askCheckout(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  try {
    return (await isInsideRepository(folder, env)) ? undefined : await ask(folder, args, env);
  } catch {
    return undefined; // No checkout, no git, or one without what was requested.
  }
}
