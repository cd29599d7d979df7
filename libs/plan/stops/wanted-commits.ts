import { type LedgerState, listOpenRequests, type VerbRequest } from "../records/index.ts";
import { findRun } from "./stops.ts";

/** Ids of archived runs whose full record is needed by open verbs or rollbacks in force. */
export function listWantedRuns(requests: Iterable<VerbRequest>, ledger: LedgerState | undefined): readonly string[] {
  if (ledger === undefined) return [];
  const open = listOpenRequests(requests, ledger, ["retry", "rollback"]);
  const inForce = Object.values(ledger.stops).filter(
    ({ resume, revertTo }) => resume === undefined && revertTo !== undefined,
  );
  const runs = [...open, ...inForce].flatMap(({ scope }) => findRun(ledger, scope) ?? []);
  return [...new Set(runs.flatMap(({ id, archived }) => (archived === undefined ? [] : [id])))];
}

/**
 * Commits whose files open verbs need, for runs of any age: a rollback counts from its request, even while nothing can be
 * recorded (rules 2.4, 8.2), and a retry opens a run again (rules 3.3).
 */
export function listWantedCommits(requests: Iterable<VerbRequest>, ledger: LedgerState | undefined): readonly string[] {
  const wanted = new Set<string>();
  if (ledger === undefined) return [];
  for (const request of listOpenRequests(requests, ledger, ["retry", "rollback"])) {
    const run = findRun(ledger, request.scope);
    if (run === undefined) continue;
    for (const sha of [run.before, run.commit, ...(request.revertTo === undefined ? [] : [request.revertTo])])
      wanted.add(sha);
  }
  return [...wanted];
}
