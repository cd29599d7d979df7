import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { newestFormat } from "#libs/input";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** What the next build writes into every record of the ledger, and this one does not know. */
export const laterField = { later: { of: "the next build" } };

/** Replaces exactly one place: a build that was not changed would be this one, and the fault would show nothing. */
function edit(folder: string, path: string, from: string, to: string): void {
  const file = join(folder, path);
  const text = readFileSync(file, "utf8");
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} places that say ${from}`);
  writeFileSync(file, parts.join(to));
}

/**
 * A build of the next version: this tree, copied, that reads and writes one version more, and has a field more in every record
 * of the ledger. `hearMs`: for so long it listens for older ones before it raises the ledger, real ms.
 */
export function makeNextBuild(into: string, hearMs: number): string {
  const folder = copyBuild(into, hearMs);
  const next = newestFormat + 1;
  edit(folder, "libs/input/format.ts", `newestFormat: number = ${newestFormat};`, `newestFormat: number = ${next};`);
  const field = JSON.stringify(laterField).slice(1, -1);
  edit(folder, "libs/ledger/write-record.ts", "{ version: format, ", `{ version: format, ${field}, `);
  return folder;
}

/** This build once more, which listens for so long before it raises a ledger. */
function copyBuild(into: string, hearMs: number): string {
  const folder = join(into, `build-${hearMs}`);
  mkdirSync(folder);
  for (const each of ["libs", "services", "package.json"]) {
    const filter = (path: string): boolean => !path.endsWith(".test.ts");
    cpSync(join(root, each), join(folder, each), { recursive: true, filter });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  edit(folder, "libs/plan/formats/older-alive.ts", "hearMs = 60_000;", `hearMs = ${hearMs};`);
  return folder;
}
