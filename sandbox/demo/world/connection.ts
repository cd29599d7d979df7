import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { DemoEnvironment } from "./start-world.ts";
import { demoInstallation, users } from "./users.ts";

const name = "connection.json";

/** Where a demo's parts answer; the CLI finds it when it is called in the same folder. */
export interface Connection {
  readonly pid: number;
  readonly natsUrl: string;
  readonly installation: string;
  readonly repoUrl: string;
  readonly gitToken: string;
  readonly githubUrl: string;
  readonly apiUrl: string;
  readonly kubeconfig: string;
}

export function writeConnection(environment: DemoEnvironment): void {
  const connection: Connection = {
    pid: process.pid,
    natsUrl: environment.brokers.environmentOf("cli").MESHROLL_NATS_URL ?? "",
    installation: demoInstallation,
    repoUrl: environment.github.gitUrl,
    gitToken: users.meshroll.token,
    githubUrl: environment.github.url,
    apiUrl: environment.apiUrl,
    kubeconfig: environment.kubeconfig,
  };
  writeFileSync(join(environment.folder, name), `${JSON.stringify(connection, undefined, 2)}\n`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // No such process: that demo was killed before it could clean up.
  }
}

/** The demo that runs in this folder; undefined when none does. */
export function findConnection(folder: string): Connection | undefined {
  if (!existsSync(join(folder, name))) return undefined;
  const connection = JSON.parse(readFileSync(join(folder, name), "utf8")) as Connection;
  return isAlive(connection.pid) ? connection : undefined;
}

export function removeConnection(folder: string): void {
  rmSync(join(folder, name), { force: true });
}
