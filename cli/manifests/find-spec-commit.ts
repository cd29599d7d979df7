import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { askCheckout } from "../read/checkout/ask-checkout.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Starting git takes longer than all the rest: it is asked only where there is a checkout. */
function isInCheckout(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (at === dirname(at)) return false;
  }
}

/** The commit at which the rollouts file is as it is here; undefined where there is none, or where it was edited since. */
export async function findSpecCommit(folder: string, file: string, { env }: Terminal): Promise<string | undefined> {
  if (!isInCheckout(folder)) return undefined;
  const paths = [basename(file), "meshroll.yml"];
  const git = async (...args: readonly string[]) => askCheckout(folder, args, env);
  // Edited, or no git, or no commit yet: it is of none.
  if ((await git("status", "--porcelain", "--ignore-submodules", "--", ...paths)) !== "") return undefined;
  const commit = await git("log", "-1", "--format=%H", "--", ...paths);
  return commit === "" ? undefined : commit;
}
