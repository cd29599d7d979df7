import type { LedgerState, RunRecord } from "../records/index.ts";
import { listForwardBuckets } from "../main/index.ts";
import { listRecordedStops } from "../stops/index.ts";

/** Whether a run only rolls back, or is being rolled back: a rollback is not measured (rules 2.3). */
export function isRollingBack(ledger: LedgerState, run: RunRecord): boolean {
  const isRolledBack = listRecordedStops(ledger).some(
    ({ scope, cause, revertTo }) => scope === `run/${run.id}` && (cause === "rollback" || revertTo !== undefined),
  );
  return isRolledBack || (run.changes.length > 0 && listForwardBuckets(run).length === 0);
}
