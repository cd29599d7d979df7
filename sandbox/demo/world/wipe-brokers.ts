import type { DemoEnvironment } from "./start-world.ts";

/** Flushes Redis and deletes NATS' store while all services run. */
export async function wipeBrokers({ brokers }: DemoEnvironment): Promise<void> {
  const { nats } = brokers;
  if (nats === undefined || brokers.redis === undefined) throw new Error("bug: these brokers are not ours to wipe");
  const { Redis } = await import("ioredis");
  const redis = new Redis(brokers.redisUrl, { lazyConnect: true });
  await redis.connect();
  await redis.flushall();
  redis.disconnect();
  await nats.kill();
  nats.wipe();
  await nats.start();
}
