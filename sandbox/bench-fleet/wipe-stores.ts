import type { Brokers } from "../../scripts/brokers/start-brokers.ts";

/** Deletes the data of both brokers; resolves when both answer again. */
export async function wipeStores({ redis, nats }: Brokers): Promise<void> {
  if (redis === undefined || nats === undefined) throw new Error("bug: these brokers are not ours to wipe");
  for (const broker of [redis, nats]) {
    await broker.kill();
    broker.wipe();
    await broker.start();
  }
}
