import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { LoginRights } from "./list-logins.ts";

/** Where the services reach both servers, without a login: `nats://HOST:PORT` and `redis://HOST:PORT`, or with TLS. */
export interface Addresses {
  readonly nats: string;
  readonly redis: string;
}

/** Parses `nats://HOST:PORT,redis://HOST:PORT`. Throws with the right form. */
export function readAddresses(text: string): Addresses {
  const [nats = "", redis = "", ...more] = text.split(",").map((each) => each.trim());
  const isRight = /^(?:nats|tls):\/\/[^\s/@]+$/u.test(nats) && /^rediss?:\/\/[^\s/@]+$/u.test(redis);
  if (isRight && more.length === 0) return { nats, redis };
  throw new Error(`--addresses: ${JSON.stringify(text)}: write nats://HOST:4222,redis://HOST:6379, without a login`);
}

interface EnvFiles {
  readonly folder: string;
  readonly addresses: Addresses;
  readonly logins: readonly LoginRights[];
  /** By the login's name. */
  readonly passwords: ReadonlyMap<string, string>;
  readonly nameVariable: (login: string) => string;
}

function logIn(address: string, name: string, password: string): string {
  return address.replace("://", `://${name}:${password}@`);
}

/**
 * Writes the variables of each login into a file of its own, and into `nats.env` the passwords that the NATS server reads: what
 * `kubectl create secret generic --from-env-file` takes.
 */
export function writeEnvFiles({ folder, addresses, logins, passwords, nameVariable }: EnvFiles): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, `${name}.env`), lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  };
  for (const { name, bus, queue } of logins) {
    const password = passwords.get(name) ?? "";
    write(name, [
      ...(bus === undefined ? [] : [`MESHROLL_NATS_URL=${logIn(addresses.nats, name, password)}`]),
      ...(queue === undefined ? [] : [`MESHROLL_REDIS_URL=${logIn(addresses.redis, name, password)}`]),
    ]);
  }
  const onBus = logins.filter(({ bus }) => bus !== undefined);
  write(
    "nats",
    onBus.map(({ name }) => `${nameVariable(name)}=${passwords.get(name) ?? ""}`),
  );
}
