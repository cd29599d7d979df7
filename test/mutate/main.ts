import { execFileSync } from "node:child_process";

import { ProgramsMissing } from "../../scripts/go/go-tools.ts";
import { findPreCommit } from "./find-pre-commit.ts";
import { findTools, nameVariable } from "./tools.ts";

// `npm run test:mutate`: `meshroll mutate` in the real kustomize, Helm 3 and Helm 4, which are compiled here once, and in the real
// pre-commit, with the files that `deploy/mutate/` and the repository ship. Exits with 3 (skipped: neither passed nor failed) where
// the first three cannot be compiled; where only pre-commit cannot be had, its tests are left out, and that is said.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);

function use(name: string, path: string, flag: string): void {
  process.env[nameVariable(name)] = path;
  log(`tested with ${name}: ${execFileSync(path, [flag], { encoding: "utf8" }).trim()}`);
}

try {
  for (const [name, path] of await findTools({ env: process.env, log })) use(name, path, "version");
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  log(`SKIPPED: the tools are not here, so nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
const preCommit = findPreCommit(process.env, log);
if ("path" in preCommit) use("pre-commit", preCommit.path, "--version");
else {
  log(`SKIPPED: pre-commit is not here, so its tests are left out: ${preCommit.missing}`);
  process.argv.push("--exclude", "test/mutate/pre-commit.test.ts");
}
process.argv.push("--config", "test/mutate/vitest.config.ts");
await import("../run.ts");
