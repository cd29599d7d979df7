import { probeBus } from "#libs/bus";
import { probeQueue } from "#libs/queue";

import { natsKind, redisKind } from "./programs/broker-kind.ts";
import { isAtLeast } from "./programs/version.ts";

/** A server named by REDIS_URL or NATS_URL is too old or lacks JetStream. */
class BrokerUnusable extends Error {
  override readonly name = "BrokerUnusable";
}

/** Checks the Redis that REDIS_URL names. Throws when it is too old; logs settings that can lose or drop jobs. */
export async function checkGivenRedis(url: string, log: (line: string) => void): Promise<void> {
  const { version, evictionPolicy, isAppendOnly } = await probeQueue(url);
  if (!isAtLeast(version, redisKind.oldest)) {
    throw new BrokerUnusable(`REDIS_URL: the server is ${version}, needed is ${redisKind.oldest} or newer`);
  }
  if (evictionPolicy !== "noeviction") {
    log(`REDIS_URL: maxmemory-policy is ${evictionPolicy}; try: redis-cli CONFIG SET maxmemory-policy noeviction`);
  }
  if (!isAppendOnly)
    log("REDIS_URL: appendonly is off, jobs are lost with the server; try: redis-cli CONFIG SET appendonly yes");
}

/** Checks the NATS that NATS_URL names. Throws when it is too old or has no JetStream. */
export async function checkGivenNats(url: string): Promise<void> {
  const { version, hasJetStream } = await probeBus(url);
  if (!isAtLeast(version, natsKind.oldest)) {
    throw new BrokerUnusable(`NATS_URL: the server is ${version}, needed is ${natsKind.oldest} or newer`);
  }
  if (!hasJetStream)
    throw new BrokerUnusable("NATS_URL: JetStream is off; start the server with: nats-server -js -sd DIR");
}
