import { findPrometheus, readPrometheusVersion } from "./prometheus-program.ts";

// `npm run test:prometheus`: what gates ask, evaluated by a real Prometheus. Exits with 3, and says so, where there is none: that is
// neither passed nor failed.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);

const program = await findPrometheus();
if (program === undefined) {
  log("SKIPPED: nothing of this suite was run, for there is no Prometheus\n  install it, so that PATH names it");
  process.exit(skippedCode);
}
log(`tested against Prometheus ${readPrometheusVersion(program)}`);
process.argv.push("--config", "test/prometheus/vitest.config.ts");
await import("../run.ts");
