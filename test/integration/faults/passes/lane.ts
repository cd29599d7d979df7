import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Broker } from "../../../../scripts/brokers/broker.ts";
import { startNats, startRedis } from "../../../../scripts/brokers/start-brokers.ts";

/** One Redis and one NATS. One pass after the other uses them, and may kill and wipe them. */
export interface Lane {
  readonly redis: Broker;
  readonly nats: Broker;
  /** Empties both, whatever the last pass left. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

/** As after a power cut with a lost disk: killed, emptied, started again on the same port. */
export async function wipeBroker(broker: Broker): Promise<void> {
  await broker.kill();
  broker.wipe();
  await broker.start();
}

/** Enough for a run, but quickly filled. */
const storeBytes = 32 << 20;

export async function openLane(): Promise<Lane> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-lane-"));
  const options = { folder, log: () => undefined, clusters: ["one"], storeBytes };
  const [redis, nats] = await Promise.all([startRedis(options), startNats(options)]);
  return {
    redis,
    nats,
    renew: async () => {
      await Promise.all([wipeBroker(redis), wipeBroker(nats)]);
    },
    end: async () => {
      await Promise.all([redis.stop(), nats.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
