import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { printNatsAccounts } from "../../logins/nats-config.ts";
import { printQueueLogins } from "../../logins/queue-rights.ts";
import { findPassword, type OwnLogin } from "./own-logins.ts";
import type { ProgramKind } from "./program.ts";
import type { Probe } from "./probe-port.ts";

/** Redis or NATS: how the demo and the tests start it and log in. */
export interface BrokerKind extends ProgramKind {
  readonly name: "redis" | "nats";
  readonly scheme: string;
  /** What a client sends first, and a text that the answer contains once the server can be used. */
  makeProbe(logins: readonly OwnLogin[]): Probe;
  /**
   * Arguments for a server on loopback `port` with its data in `data`. `monitor` is a second free port, for NATS' monitoring.
   */
  arguments(port: number, data: string, monitor: number): readonly string[];
  /** The logins that use this kind of server. */
  choose(logins: readonly OwnLogin[]): readonly OwnLogin[];
  /** Writes the logins' rights into `folder`; returns the arguments that make the server read them. */
  configure(folder: string, logins: readonly OwnLogin[], storeBytes?: number): readonly string[];
}

function writePrivate(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

// With "everysec" a busy disk can delay a write by two seconds, and an acknowledged batch could be lost.
const durable = "--appendonly yes --appendfsync always --maxmemory-policy noeviction";

/** Durable, without eviction and snapshots, like the Redis of docker-compose.yml. */
export const redisKind: BrokerKind = {
  name: "redis",
  programs: ["redis-server", "valkey-server"],
  scheme: "redis",
  oldest: "6.2.0",
  // redis-check-rdb is the same binary as redis-server and acts by the name it is called by. Installing the package redis-
  // server would start a service.
  source: { packageName: "redis-tools", file: "usr/bin/redis-check-rdb", program: "redis-server" },
  makeProbe: (logins) => ({
    send: `AUTH operator ${findPassword(logins, "operator") ?? ""}\r\nPING\r\n`,
    answer: "+PONG",
  }),
  arguments: (port, data) => [
    ...`--port ${port} --bind 127.0.0.1`.split(" "),
    "--dir",
    data,
    ...durable.split(" "),
    "--save",
    "",
  ],
  choose: (logins) => logins.filter(({ queue }) => queue !== undefined),
  configure(folder, logins) {
    const users = logins.flatMap(({ name, installation, password, queue }) => {
      return queue === undefined ? [] : [{ name, installation, password, rights: queue }];
    });
    return ["--aclfile", writePrivate(join(folder, "redis.acl"), printQueueLogins(users))];
  },
};

export const natsKind: BrokerKind = {
  name: "nats",
  programs: ["nats-server"],
  scheme: "nats",
  oldest: "2.9.0",
  source: { packageName: "nats-server", file: "usr/sbin/nats-server", program: "nats-server" },
  // A NATS server sends its INFO line first.
  makeProbe: () => ({ send: "", answer: '"jetstream":true' }),
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
  choose: (logins) => logins.filter(({ bus }) => bus !== undefined),
  configure(folder, logins, storeBytes) {
    const limit = storeBytes === undefined ? "" : `jetstream { max_file_store: ${storeBytes} }\n`;
    const users = logins.flatMap(({ name, installation, password, bus }) => {
      return bus === undefined ? [] : [{ name, installation, password: JSON.stringify(password), rights: bus }];
    });
    return ["-c", writePrivate(join(folder, "nats.conf"), limit + printNatsAccounts(users))];
  },
};

/** Folder of a broker's data; created when absent. */
export function makeDataFolder(folder: string, { name }: BrokerKind): string {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  return data;
}
