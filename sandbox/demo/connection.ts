import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type DemoWorld, users } from "./start-world.ts";

const name = "connection.json";

/** Where a demo's parts answer; the CLI finds it when it is called in the same folder. */
export interface Connection {
  readonly pid: number;
  readonly natsUrl: string;
  readonly repoUrl: string;
  readonly gitToken: string;
  readonly githubUrl: string;
  readonly kubeconfig: string;
}

export function writeConnection(world: DemoWorld): void {
  const connection: Connection = {
    pid: process.pid,
    natsUrl: world.env["MESHROLL_NATS_URL"] ?? "",
    repoUrl: world.github.gitUrl,
    gitToken: users.meshroll.token,
    githubUrl: world.github.url,
    kubeconfig: world.kubeconfig,
  };
  writeFileSync(join(world.folder, name), `${JSON.stringify(connection, undefined, 2)}\n`);
}

export function readConnection(folder: string): Connection {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as Connection;
}

export function removeConnection(folder: string): void {
  rmSync(join(folder, name), { force: true });
}
