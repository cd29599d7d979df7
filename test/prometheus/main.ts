import { findPrometheus, readPrometheusVersion } from "./prometheus-program.ts";

// `npm run test:prometheus`: the queries of gates, evaluated by a real Prometheus. Where none can be had it says so and
// exits with 3, which means neither passed nor failed.

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
