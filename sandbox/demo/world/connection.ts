import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isAlive } from "../../../scripts/brokers/programs/pid-file.ts";
import type { ScmAddress } from "./scm/demo-scm.ts";
import { describePeople } from "./start-services.ts";
import type { DemoEnvironment } from "./start-world.ts";

const name = "connection.json";
/** File with lines for a shell: `. .demo/env`. */
const variables = "env";

/** The running demo, for its own commands in another terminal. */
export interface Connection {
  readonly pid: number;
  readonly scm: ScmAddress;
}

/** Quotes a value for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function writeConnection(environment: DemoEnvironment): void {
  const connection: Connection = { pid: process.pid, scm: environment.scm.address };
  writeFileSync(join(environment.folder, name), `${JSON.stringify(connection, undefined, 2)}\n`, { mode: 0o600 });
  const lines = Object.entries(describePeople(environment)).map(([key, value]) => `export ${key}=${quote(value)}\n`);
  writeFileSync(join(environment.folder, variables), lines.join(""), { mode: 0o600 });
}

/** The demo that runs in this folder; undefined when none does, also after one was killed. */
export function findConnection(folder: string): Connection | undefined {
  if (!existsSync(join(folder, name))) return undefined;
  const connection = JSON.parse(readFileSync(join(folder, name), "utf8")) as Connection;
  return isAlive(connection.pid) ? connection : undefined;
}

export function removeConnection(folder: string): void {
  for (const file of [name, variables]) rmSync(join(folder, file), { force: true });
}
