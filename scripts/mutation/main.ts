// How much of a silent change in the pure libs the tests notice: `npm run mutation -- --lib plan --sample 200 --seed 1`.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { checkTypes } from "./check-types.ts";
import { chooseMutants } from "./choose-mutants.ts";
import type { PureLib } from "./libs.ts";
import { listMutants } from "./list-mutants.ts";
import { type Options, readOptions } from "./options.ts";
import { printScore } from "./print-score.ts";
import { runStryker } from "./run-stryker.ts";
import { scoreMutants } from "./score.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const wanted = 80;

/** Stryker has a lock of its own: nobody who only wants the project installs it. */
function installStryker(): void {
  const folder = join(root, "scripts/mutation");
  if (existsSync(join(folder, "node_modules/.package-lock.json"))) return;
  const done = spawnSync("npm", ["ci"], { cwd: folder, stdio: ["ignore", 2, 2] });
  if (done.status !== 0) throw new Error("mutation: npm ci in scripts/mutation failed; fix what it says above");
}

/** Tests one lib, prints what survived, and tells whether enough did not. */
async function testLib(lib: PureLib, { files, sample, seed, lanes }: Options): Promise<boolean> {
  const folder = join(root, ".run", `mutation-${lib.name}-${process.pid}`);
  try {
    const all = await listMutants(root, lib.name, files);
    const drawn = chooseMutants(all, sample, seed);
    const chosen = checkTypes(root, join(folder, "types"), drawn);
    const score = scoreMutants(await runStryker(root, folder, lib, chosen, lanes));
    console.log(printScore(root, lib.name, { all: all.length, drawn: drawn.length }, score));
    return score.percent >= wanted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  installStryker();
  let ok = true;
  for (const lib of options.libs) ok = (await testLib(lib, options)) && ok;
  console.log(ok ? `all at ${wanted} % or more` : `below ${wanted} %: write tests for what survived`);
  if (!ok) process.exitCode = 1;
}

await main();
