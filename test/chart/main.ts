import { execFileSync } from "node:child_process";

import { ProgramsMissing } from "../../scripts/go/go-tools.ts";
import { findPrograms } from "../cluster/programs/find-programs.ts";
import { kubeModule } from "../cluster/programs/modules.ts";
import { findTools, nameVariable } from "../mutate/tools.ts";
import { helms } from "./helm.ts";

// `npm run test:chart`: deploy/chart is linted and rendered by the real Helm 3 and Helm 4, and installed by them on a real control
// plane. Exits with 3 (skipped: neither passed nor failed) where neither can be compiled; without the control plane nothing is
// installed, and that is said.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);

try {
  for (const [name, path] of await findTools({ env: process.env, log }, helms)) {
    process.env[nameVariable(name)] = path;
    log(`tested with ${name}: ${execFileSync(path, ["version", "--short"], { encoding: "utf8" }).trim()}`);
  }
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  log(`SKIPPED: Helm is not here, so nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
try {
  await findPrograms(kubeModule, { env: process.env, log });
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  log(`SKIPPED: the control plane is not here, so the chart is not installed\n${error.message}`);
  process.argv.push("--exclude", "test/chart/install.test.ts");
}
process.argv.push("--config", "test/chart/vitest.config.ts");
await import("../run.ts");
