import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isInstallationId } from "#libs/input";

import { listLogins, listOtherLogins, type LoginRights, makePassword } from "./list-logins.ts";
import { printNatsAccounts } from "./nats-config.ts";
import { printQueueLogins } from "./queue-rights.ts";
import { readOthers } from "./read-others.ts";

export interface LoginFiles {
  /** Holds the passwords, one line each; a line that is there stays. */
  readonly envFile: string;
  /** Gets what the servers read, without any password. */
  readonly folder: string;
  /** Clusters whose executor runs elsewhere. */
  readonly alone: readonly string[];
}

/** Variable of .env that holds the password of a login, for NATS and for Redis alike. */
export function namePassword(login: string): string {
  return `MESHROLL_PASSWORD_${login.toUpperCase().replaceAll("-", "_")}`;
}

/** The lines of a .env file; a later one of the same name counts. */
function parseEnv(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").filter((line) => /^\w+=/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** Names of `name[=context],…`. */
function listClusters(text: string): readonly string[] {
  const names = text.split(",").map((part) => part.trim().split("=")[0] ?? "");
  return names.filter((name) => name !== "");
}

/** Those of a .env as it was written before; a password that is not set is made. */
function completePasswords(envFile: string, logins: readonly LoginRights[]): ReadonlyMap<string, string> {
  const text = existsSync(envFile) ? readFileSync(envFile, "utf8") : "";
  const known = parseEnv(text);
  const read = (login: string): string => known.get(namePassword(login)) ?? "";
  const found = new Map(logins.map(({ name }) => [name, read(name) === "" ? makePassword() : read(name)]));
  const made = [...found].filter(([name]) => read(name) === "");
  const lines = made.map(([name, password]) => `${namePassword(name)}=${password}\n`);
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  if (lines.length > 0) appendFileSync(envFile, gap + lines.join(""));
  chmodSync(envFile, 0o600);
  return found;
}

/** A cluster of one installation may be called as a login of another: that login would have the rights of both. */
function refuseSameNames(logins: readonly LoginRights[]): void {
  const names = logins.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new Error(`two logins would be called ${twice}: give the cluster of one of them another name`);
}

const note =
  "# Made by `npm run logins`; it holds no password. docs/reference/broker-rights.md says what each login may do.\n";

/**
 * Makes the passwords that are absent and writes the configuration of both servers: NATS reads passwords from its
 * environment, Redis keeps what proves them. Answers what was done, for people. Throws without clusters or installation, and where
 * MESHROLL_OTHER_INSTALLATIONS names none.
 */
export function writeLogins({ envFile, folder, alone }: LoginFiles): readonly string[] {
  const env = parseEnv(existsSync(envFile) ? readFileSync(envFile, "utf8") : "");
  const clusters = listClusters(env.get("MESHROLL_CLUSTERS") ?? "");
  if (clusters.length + alone.length === 0) {
    throw new Error(
      `${envFile} names no cluster: set MESHROLL_CLUSTERS there (cp .env.example .env), or give --alone NAME,…`,
    );
  }
  const installation = env.get("MESHROLL_INSTALLATION") ?? "";
  if (!isInstallationId(installation)) {
    throw new Error(
      `${envFile} names no installation: set MESHROLL_INSTALLATION there to the id that meshroll init prints (again: --dry-run)`,
    );
  }
  const others = readOthers(env.get("MESHROLL_OTHER_INSTALLATIONS") ?? "", installation);
  const logins = [...listLogins(installation, clusters, alone), ...others.flatMap((other) => listOtherLogins(other))];
  refuseSameNames(logins);
  const passwords = completePasswords(envFile, logins);
  mkdirSync(folder, { recursive: true });
  const bus = logins.flatMap(({ name, installation: whose, bus: rights }) => {
    return rights === undefined ? [] : [{ name, installation: whose, password: `$${namePassword(name)}`, rights }];
  });
  const queue = logins.flatMap(({ name, installation: whose, queue: rights }) => {
    const password = passwords.get(name) ?? "";
    return rights === undefined ? [] : [{ name, installation: whose, password, rights }];
  });
  writeFileSync(join(folder, "nats-accounts.conf"), note + printNatsAccounts(bus), { mode: 0o644 });
  // Redis takes no comment in this file.
  writeFileSync(join(folder, "redis-users.acl"), printQueueLogins(queue), { mode: 0o644 });
  const sharedWith = others.map((other) => `, and ${other.clusters.join(", ")} of ${other.installation}`);
  return [
    `${logins.length} logins for ${[...clusters, ...alone].join(", ")} of installation ${installation}${sharedWith.join("")}`,
    `passwords:  ${envFile} (keep it out of git)`,
    `servers:    ${join(folder, "nats-accounts.conf")}, ${join(folder, "redis-users.acl")}`,
  ];
}
