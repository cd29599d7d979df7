import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Broker } from "../../../../scripts/brokers/broker.ts";
import { startNats, startRedis } from "../../../../scripts/brokers/start-brokers.ts";

/** One Redis and one NATS that one pass after the other may kill and wipe. */
export interface Lane {
  readonly redis: Broker;
  readonly nats: Broker;
  /** As new, whatever the last pass left behind. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

/** As after a power cut and a lost disk: killed, emptied, started again on the same port. */
export async function wipeBroker(broker: Broker): Promise<void> {
  await broker.kill();
  broker.wipe();
  await broker.start();
}

/** Enough for a run, and soon filled. */
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
