import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { askCheckout } from "../read/checkout/ask-checkout.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** git is started only in a checkout, because that takes longer than the rest. */
function isInCheckout(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (at === dirname(at)) return false;
  }
}

/** The commit of the rollouts file in this folder; undefined where there is none, or where the file was edited since. */
export async function findSpecCommit(folder: string, file: string, { env }: Terminal): Promise<string | undefined> {
  if (!isInCheckout(folder)) return undefined;
  const paths = [basename(file), "meshroll.yml"];
  const git = async (...args: readonly string[]) => askCheckout(folder, args, env);
  // Edited, or no git, or no commit yet.
  if ((await git("status", "--porcelain", "--ignore-submodules", "--", ...paths)) !== "") return undefined;
  const commit = await git("log", "-1", "--format=%H", "--", ...paths);
  return commit === "" ? undefined : commit;
}
