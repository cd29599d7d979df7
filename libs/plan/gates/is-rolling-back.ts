import type { LedgerState, RunRecord } from "../records/index.ts";
import { listForwardBuckets } from "../main/index.ts";
import { listRecordedStops } from "../stops/index.ts";

/** A run that only rolls back, or that is being rolled back: what is rolled back is not measured (rules 2.3). */
export function isRollingBack(ledger: LedgerState, run: RunRecord): boolean {
  const isRolledBack = listRecordedStops(ledger).some(
    ({ scope, cause, revertTo }) => scope === `run/${run.id}` && (cause === "rollback" || revertTo !== undefined),
  );
  return isRolledBack || (run.changes.length > 0 && listForwardBuckets(run).length === 0);
}
