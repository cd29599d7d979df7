import { lookUp } from "#libs/input";
import { readAnnotations, type RunAnnotation, type Workload } from "#libs/fleet";

import { listRolledBackBuckets } from "../main/index.ts";
import { isRollbackNow } from "../stops/index.ts";
import { type LedgerState, parseTime, type RunRecord } from "../records/index.ts";

/** The run that wrote last, and its target; it stays after an undo. */
export function readMark(workload: Workload): RunAnnotation | undefined {
  return readAnnotations(workload)?.run;
}

/** A rollback with `--now` writes under the id of the run that it rolls back, also where another run moved the workload. */
function isRolledBackAtOnce({ stops }: LedgerState, id: string, since: string): boolean {
  return Object.values(stops).some(
    (stop) => stop.scope === `run/${id}` && isRollbackNow(stop) && parseTime(stop.at) >= parseTime(since),
  );
}

/**
 * The run under whose id a workload was rolled back since this run began: a rollback's own, or one that was rolled back with
 * `--now`. Undefined where its annotation shows none.
 */
export function findTakenBack(
  ledger: LedgerState,
  { order, startedAt }: RunRecord,
  workload: Workload,
  answer: string | undefined,
): string | undefined {
  const mark = readMark(workload);
  if (mark === undefined || mark.target === answer) return undefined;
  const writer = lookUp(ledger.runs, mark.run);
  if (writer === undefined) return undefined;
  const isRollback = writer.order > order && listRolledBackBuckets(writer).length > 0;
  return isRollback || isRolledBackAtOnce(ledger, writer.id, startedAt) ? writer.id : undefined;
}
