import { lookUp } from "#libs/input";

import type { Decision, LedgerState, Snapshot, VerbRequest } from "../records/index.ts";
import { findRun } from "../stops/index.ts";

/** Retries that are not carried out yet. */
export function listRetries({ requests }: Pick<Snapshot, "requests">, ledger: LedgerState): readonly VerbRequest[] {
  return requests.filter((request) => lookUp(ledger.requests, request.id) === undefined && request.verb === "retry");
}

/** Whether the record that it needs is in the archive and was not read yet. */
export function isUnread(request: VerbRequest, ledger: LedgerState): boolean {
  return findRun(ledger, request.scope)?.archived === "facts";
}

/** Retries of runs whose record is being read: the next reconcile has it. */
export function waitForArchive(
  snapshot: Snapshot,
  ledger: LedgerState,
): readonly Extract<Decision, { kind: "wait" }>[] {
  const unread = listRetries(snapshot, ledger).filter((request) => isUnread(request, ledger));
  return unread.map(({ scope, who }) => ({ kind: "wait", scope, reason: { code: "ArchiveUnread", scope, who } }));
}
