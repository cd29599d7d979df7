import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Airbnb's file as published, byte for byte. */
export const publishedRollouts = readFileSync(
  fileURLToPath(new URL("../../test/fixtures/rollouts/airbnb.yml", import.meta.url)),
  "utf8",
);

/** How the demo's platform team moves workloads: small batches, and one bad workload does not hold up the others. */
export const demoSettings = `# How meshroll moves workloads here.
defaults:
  batch:
    batchSize: 5
    delayBetweenBatches: 20s
    readinessTimeout: 5m
    failurePolicy: ContinueOnError
`;
