import { join } from "node:path";

import { newestFormat } from "#libs/input";

import { copyBuild, editBuild } from "../../../builds/copy-build.ts";

/** What the next build writes into every record of the ledger, and this one does not know. */
export const laterField = { later: { of: "the next build" } };

/**
 * A build of the next version: this tree, copied, that reads and writes one version more, and has a field more in every record
 * of the ledger. `hearMs`: for so long it listens for older ones before it raises the ledger, real ms.
 */
export function makeNextBuild(into: string, hearMs: number): string {
  const folder = copyBuild(join(into, `build-${hearMs}`));
  editBuild(folder, "libs/plan/transitions/older-alive.ts", "hearMs = 60_000;", `hearMs = ${hearMs};`);
  const [from, to] = [`newestFormat: number = ${newestFormat};`, `newestFormat: number = ${newestFormat + 1};`];
  editBuild(folder, "libs/input/format.ts", from, to);
  const field = JSON.stringify(laterField).slice(1, -1);
  editBuild(folder, "libs/ledger/records/write-record.ts", "{ version: format, ", `{ version: format, ${field}, `);
  return folder;
}
