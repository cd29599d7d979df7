import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Airbnb's file as published, byte for byte. */
export const publishedRollouts = readFileSync(
  fileURLToPath(new URL("../../test/fixtures/rollouts/airbnb.yml", import.meta.url)),
  "utf8",
);

/** How the demo's platform team moves workloads: eight at a time in each cluster, and the first failure stops the run. */
export const demoSettings = `# How meshroll moves workloads here.
defaults:
  batch:
    batchSize: 8
    delayBetweenBatches: 30s
    readinessTimeout: 3m
    failurePolicy: FailFast
  rollback:
    batch:
      batchSize: 25
      delayBetweenBatches: 0s
`;
