import { mkdirSync } from "node:fs";
import { join } from "node:path";

import type { Greeting } from "./say-hello.ts";

/** A server that the demo and the tests start for themselves. */
export interface BrokerKind {
  readonly name: "redis" | "nats";
  /** Programs that will do, the best first. */
  readonly programs: readonly string[];
  readonly scheme: string;
  /** Older ones lack what we use. */
  readonly oldest: string;
  /** What a client says first, and what the answer holds once the server can be used. */
  readonly greeting: Greeting;
  /** Command line for a server on loopback `port` that keeps its data in `data`; `monitor` is a second free port. */
  arguments(port: number, data: string, monitor: number): readonly string[];
}

// "everysec" may delay a write for two seconds on a busy disk: an acknowledged batch would be lost. We add a few a minute.
const durable = "--appendonly yes --appendfsync always --maxmemory-policy noeviction";

/** Nothing is lost when it is killed, nothing is evicted, nothing is snapshotted: as we ask it of a real one. */
export const redisKind: BrokerKind = {
  name: "redis",
  programs: ["redis-server", "valkey-server"],
  scheme: "redis",
  oldest: "6.2.0",
  greeting: { say: "PING\r\n", hear: "+PONG" },
  arguments: (port, data) => [
    ...`--port ${port} --bind 127.0.0.1`.split(" "),
    "--dir",
    data,
    ...durable.split(" "),
    "--save",
    "",
  ],
};

export const natsKind: BrokerKind = {
  name: "nats",
  programs: ["nats-server"],
  scheme: "nats",
  oldest: "2.9.0",
  // A NATS server speaks first.
  greeting: { say: "", hear: '"jetstream":true' },
  arguments: (port, data, monitor) => [
    "-a",
    "127.0.0.1",
    "-p",
    String(port),
    "-m",
    String(monitor),
    "-js",
    "-sd",
    data,
  ],
};

/** Folder of a broker's data, made when it is absent. */
export function makeDataFolder(folder: string, { name }: BrokerKind): string {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  return data;
}
