import { oldestFormat } from "#libs/input";

import type { LedgerState } from "./ledger-state.ts";

/** The version to write in: the ledger's. Before there is one it is unknown what others read, and the oldest is read by all. */
export function formatOf(ledger: Pick<LedgerState, "format"> | undefined): number {
  return ledger?.format ?? oldestFormat;
}
