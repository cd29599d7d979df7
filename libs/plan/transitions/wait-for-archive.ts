import {
  type Decision,
  type LedgerState,
  listOpenRequests,
  type Snapshot,
  type VerbRequest,
} from "../records/index.ts";
import { findRun } from "../stops/index.ts";

/** Whether the record that it needs is in the archive and was not read yet. */
export function isUnread(request: VerbRequest, ledger: LedgerState): boolean {
  return findRun(ledger, request.scope)?.archived === "facts";
}

/** Retries of runs whose record is being read: the next reconcile has it. */
export function waitForArchive(
  snapshot: Snapshot,
  ledger: LedgerState,
): readonly Extract<Decision, { kind: "wait" }>[] {
  const unread = listOpenRequests(snapshot.requests, ledger, ["retry"]).filter((request) => isUnread(request, ledger));
  return unread.map(({ scope, who }) => ({ kind: "wait", scope, reason: { code: "ArchiveUnread", scope, who } }));
}
