import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

import { startBrokers } from "../../scripts/brokers/start-brokers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly redisUrl: string;
    readonly natsUrl: string;
  }
}

/** Starts Redis and NATS once for all integration tests; a test finds them by `inject("redisUrl")`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-brokers-"));
  const brokers = await startBrokers({ folder, log: (line) => void process.stderr.write(`${line}\n`) });
  project.provide("redisUrl", brokers.redisUrl);
  project.provide("natsUrl", brokers.natsUrl);
  return async () => {
    await brokers.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
