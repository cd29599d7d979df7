import { execFileSync } from "node:child_process";

import { ProgramsMissing } from "../go/go-tools.ts";
import { findTools, nameVariable } from "./tools.ts";

// `npm run test:mutate`: `meshroll mutate` in the real kustomize, which is compiled here once, with the files that
// `deploy/mutate/` ships. Exits with 3 (skipped: neither passed nor failed) where kustomize cannot be compiled.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);

try {
  for (const [name, path] of await findTools({ env: process.env, log })) {
    process.env[nameVariable(name)] = path;
    log(`tested with ${name}: ${execFileSync(path, ["version"], { encoding: "utf8" }).trim()}`);
  }
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  log(`SKIPPED: kustomize is not here, so nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
process.argv.push("--config", "test/mutate/vitest.config.ts");
await import("../run.ts");
