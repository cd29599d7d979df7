import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Forms } from "./forms.ts";

const root = fileURLToPath(new URL("../fixtures/formats", import.meta.url));

/** Where the fixtures of a version stand. */
export function findFolder(version: number): string {
  return join(root, `v${version}`);
}

/** Versions of which there are fixtures, oldest first. */
export function listVersions(): readonly number[] {
  const versions = readdirSync(root).flatMap((name) => /^v(\d+)$/u.exec(name)?.[1] ?? []);
  return versions.map(Number).toSorted((a, b) => a - b);
}

/** One text that a process wrote, and the key or the subject that it stood under. */
export interface Caught {
  readonly key: string;
  readonly text: string;
}

/** What real processes wrote in one version. */
export interface Fixture {
  /** By kind of record, what stood on NATS, in Redis and in a ConfigMap. */
  readonly records: Readonly<Record<string, Caught>>;
  /** Path -> text, of the newest commit of the ledger's branch. */
  readonly ledger: Readonly<Record<string, string>>;
}

function read<T>(version: number, name: string): T {
  return JSON.parse(readFileSync(join(findFolder(version), name), "utf8")) as T;
}

export function write(version: number, name: string, value: unknown): void {
  writeFileSync(join(findFolder(version), name), `${JSON.stringify(value, undefined, 1)}\n`);
}

export function readFixture(version: number): Fixture {
  return { records: read(version, "records.json"), ledger: read(version, "ledger.json") };
}

/** What the readers of this build have to make of a fixture. */
export function readExpected(version: number): unknown {
  return read(version, "read.json");
}

/** The forms of a version, as they were when it was the newest. */
export function readForms(version: number): Forms {
  return read(version, "forms.json");
}

/** The newest version that a released build writes; 0 = none was released. */
export function readReleased(): number {
  return (JSON.parse(readFileSync(join(root, "released.json"), "utf8")) as { readonly newest: number }).newest;
}
