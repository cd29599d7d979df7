import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import type { DemoEnvironment } from "../../../sandbox/demo/world/start-world.ts";

const branch = "refs/heads/meshroll/ledger";

async function git({ folder }: DemoEnvironment, ...args: readonly string[]): Promise<string> {
  const repository = join(folder, "acme", "rollouts.git");
  const { stdout } = await promisify(execFile)("git", ["-C", repository, ...args], { maxBuffer: 1 << 28 });
  return stdout;
}

/** Paths of the ledger's newest commit. */
export async function listLedger(environment: DemoEnvironment): Promise<readonly string[]> {
  return (await git(environment, "ls-tree", "-r", "--name-only", branch)).split("\n").filter((path) => path !== "");
}

/** All its files, by path. */
export async function readLedger(environment: DemoEnvironment): Promise<Readonly<Record<string, string>>> {
  const texts: [string, string][] = [];
  for (const path of await listLedger(environment))
    texts.push([path, await git(environment, "show", `${branch}:${path}`)]);
  return Object.fromEntries(texts);
}

/** Whether the ledger has the end of the run of this commit of main. */
export async function isRunOver(environment: DemoEnvironment, commit: string): Promise<boolean> {
  const path = `runs/${commit.slice(0, 12)}.json`;
  if (!(await listLedger(environment)).includes(path)) return false;
  const { state } = JSON.parse(await git(environment, "show", `${branch}:${path}`)) as { readonly state: string };
  return state !== "open";
}
