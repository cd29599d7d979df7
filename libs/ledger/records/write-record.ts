import { lookUp } from "#libs/input";
import type { LedgerState } from "#libs/plan";

import { restoreKept } from "./kept-fields.ts";

/** What a record is written by, next to itself. */
export type Written = Pick<LedgerState, "format" | "kept">;

/** A record as it is in its file: its version first, and what a newer build wrote into it. */
export function writeRecord({ format, kept }: Written, file: string, record: object): object {
  const written = restoreKept(lookUp(kept, file), record) as object;
  // Version 1 named its version in `heads` alone.
  return format === 1 && file !== "heads" ? written : { version: format, ...written };
}

/** As people read it in a diff. */
export function printRecord(state: Written, file: string, record: object): string {
  return `${JSON.stringify(writeRecord(state, file, record), undefined, 2)}\n`;
}
