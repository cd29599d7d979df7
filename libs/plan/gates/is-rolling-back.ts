import type { LedgerState, RunRecord } from "../records/index.ts";
import { isPureRollback } from "../main/index.ts";
import { listRecordedStops } from "../stops/index.ts";

/** Whether a run only rolls back, or is being rolled back: a rollback is not measured (rules 2.3). */
export function isRollingBack(ledger: LedgerState, run: RunRecord): boolean {
  const isRolledBack = listRecordedStops(ledger).some(
    ({ scope, cause, revertTo }) => scope === `run/${run.id}` && (cause === "rollback" || revertTo !== undefined),
  );
  return isRolledBack || isPureRollback(run);
}
