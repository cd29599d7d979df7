import type { AuditedRun } from "../../evidence/evidence.ts";

/** The ledger said that the run is over at some moment between these two: a retry may have opened it again since. */
export function wasOver({ endedAt, earlierEnds = [] }: AuditedRun, from: number, until = from): boolean {
  const isEarlier = earlierEnds.some((each) => each.endedAt <= until && each.reopenedAt >= from);
  return isEarlier || (endedAt !== undefined && endedAt <= until);
}
