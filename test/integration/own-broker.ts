import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

import type { Broker } from "../../scripts/brokers/broker.ts";
import { startNats, startRedis } from "../../scripts/brokers/start-brokers.ts";

/**
 * A server for one test file, which may kill and wipe it without harm to the shared ones. `other`: with logins of a second
 * installation.
 */
export function useOwnBroker(kind: "redis" | "nats", clusters: readonly string[] = [], other?: string): () => Broker {
  const start = kind === "redis" ? startRedis : startNats;
  const folder = mkdtempSync(join(tmpdir(), `meshroll-own-${kind}-`));
  let broker: Broker | undefined;
  beforeAll(async () => {
    broker = await start({ folder, log: () => undefined, clusters, ...(other === undefined ? {} : { other }) });
  });
  afterAll(async () => {
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (broker === undefined) throw new Error("the server is there inside of tests only");
    return broker;
  };
}
