import { execFileSync } from "node:child_process";

import { type Envoy, EnvoysMissing, findEnvoys } from "./envoys/find-envoys.ts";

// `npm run test:vm`: agents of VMs as processes, each with real Envoys under load, and power cuts at a thousand random
// bytes. Exits with 3 (skipped: neither passed nor failed) where no Envoy can be fetched.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);

function describe({ path }: Envoy): string {
  const [, version = "unknown"] =
    /\/(\d+\.\d+\.\d+)\//.exec(execFileSync(path, ["--version"], { encoding: "utf8" })) ?? [];
  return `Envoy ${version}`;
}

try {
  log(`tested with ${findEnvoys(process.env, log).map(describe).join(" and ")}`);
} catch (error) {
  if (!(error instanceof EnvoysMissing)) throw error;
  log(`SKIPPED: nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
process.argv.push("--config", "test/vm/vitest.config.ts");
await import("../run.ts");
