import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isInstallationId } from "#libs/input";

import { listLogins, listOtherLogins, type LoginRights, makePassword } from "./list-logins.ts";
import { printNatsAccounts } from "./nats-config.ts";
import { printQueueLogins } from "./queue-rights.ts";
import { readOthers } from "./read-others.ts";
import { type Addresses, writeEnvFiles } from "./write-env-files.ts";

export interface LoginFiles {
  /** Holds the passwords, one a line; existing lines are kept. */
  readonly envFile: string;
  /** Receives the files that the servers read; they contain no password. */
  readonly folder: string;
  /** Clusters whose executor runs elsewhere. */
  readonly alone: readonly string[];
  /** Where services that run elsewhere reach both servers: each login's variables are written, too. */
  readonly addresses?: Addresses;
}

/** Variable of .env that holds the password of a login, for NATS and Redis alike. */
export function namePassword(login: string): string {
  return `MESHROLL_PASSWORD_${login.toUpperCase().replaceAll("-", "_")}`;
}

/** The variables of a .env file; the last line of a name counts. */
function parseEnv(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").filter((line) => /^\w+=/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** Cluster names of a list `name[=context],…`. */
function listClusters(text: string): readonly string[] {
  const names = text.split(",").map((part) => part.trim().split("=")[0] ?? "");
  return names.filter((name) => name !== "");
}

/** The passwords of a .env file; an absent one is generated and appended to the file. */
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

/**
 * Throws when two logins have one name, as a cluster of one installation may be called like a login of another: that login
 * would have the rights of both.
 */
function refuseSameNames(logins: readonly LoginRights[]): void {
  const names = logins.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new Error(`two logins would be called ${twice}: give the cluster of one of them another name`);
}

const note =
  "# Made by `npm run logins`; it holds no password. docs/reference/broker-rights.md says what each login may do.\n";

/**
 * Generates absent passwords and writes the configuration of both servers: NATS reads passwords from its environment, Redis has
 * their hashes. Returns lines for people. Throws when .env has no cluster or no installation, or a malformed
 * MESHROLL_OTHER_INSTALLATIONS.
 */
export function writeLogins({ envFile, folder, alone, addresses }: LoginFiles): readonly string[] {
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
  // An ACL file of Redis has no comments.
  writeFileSync(join(folder, "redis-users.acl"), printQueueLogins(queue), { mode: 0o644 });
  const services = join(folder, "logins");
  if (addresses !== undefined)
    writeEnvFiles({ folder: services, addresses, logins, passwords, nameVariable: namePassword });
  const sharedWith = others.map((other) => `, and ${other.clusters.join(", ")} of ${other.installation}`);
  return [
    `${logins.length} logins for ${[...clusters, ...alone].join(", ")} of installation ${installation}${sharedWith.join("")}`,
    `passwords:  ${envFile} (keep it out of git)`,
    `servers:    ${join(folder, "nats-accounts.conf")}, ${join(folder, "redis-users.acl")}`,
    ...(addresses === undefined ? [] : [`services:   ${services}/*.env, with passwords (keep them out of git)`]),
  ];
}
