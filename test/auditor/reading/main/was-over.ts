import type { AuditedRun } from "../../evidence/evidence.ts";

/** True when the ledger had the run as ended at some moment between these two, even if a retry opened it again. */
export function wasOver({ endedAt, earlierEnds = [] }: AuditedRun, from: number, until = from): boolean {
  const isEarlier = earlierEnds.some((each) => each.endedAt <= until && each.reopenedAt >= from);
  return isEarlier || (endedAt !== undefined && endedAt <= until);
}
