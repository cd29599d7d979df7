import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { printNatsAccounts } from "../../logins/nats-config.ts";
import { printQueueLogins } from "../../logins/queue-rights.ts";
import { findPassword, type OwnLogin } from "./own-logins.ts";
import type { ProgramKind } from "./program.ts";
import type { Greeting } from "./say-hello.ts";

/** A server that the demo and the tests start for themselves. */
export interface BrokerKind extends ProgramKind {
  readonly name: "redis" | "nats";
  readonly scheme: string;
  /** What a client says first, and what the answer holds once the server can be used. */
  greet(logins: readonly OwnLogin[]): Greeting;
  /** Command line for a server on loopback `port` that keeps its data in `data`; `monitor` is a second free port. */
  arguments(port: number, data: string, monitor: number): readonly string[];
  /** Those who have business with this kind of server. */
  choose(logins: readonly OwnLogin[]): readonly OwnLogin[];
  /** Writes who may do what into `folder`; answers the command line that makes the server read it. */
  configure(folder: string, logins: readonly OwnLogin[], storeBytes?: number): readonly string[];
}

function writePrivate(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

// "everysec" may delay a write for two seconds on a busy disk: an acknowledged batch would be lost. We add a few a minute.
const durable = "--appendonly yes --appendfsync always --maxmemory-policy noeviction";

/** Nothing is lost when it is killed, nothing is evicted, nothing is snapshotted: as we ask it of a real one. */
export const redisKind: BrokerKind = {
  name: "redis",
  programs: ["redis-server", "valkey-server"],
  scheme: "redis",
  oldest: "6.2.0",
  // The server is redis-check-rdb under another name: it looks at how it was called. Its own package would start a service.
  source: { packageName: "redis-tools", file: "usr/bin/redis-check-rdb", program: "redis-server" },
  greet: (logins) => ({ say: `AUTH operator ${findPassword(logins, "operator") ?? ""}\r\nPING\r\n`, hear: "+PONG" }),
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
  // A NATS server speaks first.
  greet: () => ({ say: "", hear: '"jetstream":true' }),
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

/** Folder of a broker's data, made when it is absent. */
export function makeDataFolder(folder: string, { name }: BrokerKind): string {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  return data;
}
