import { lookUp } from "#libs/input";

import type { LedgerState } from "./ledger-state.ts";
import type { VerbRequest } from "./snapshot.ts";

/** The requests with one of these verbs that are not carried out yet, oldest first. */
export function listOpenRequests(
  requests: Iterable<VerbRequest>,
  ledger: Pick<LedgerState, "requests">,
  verbs: readonly VerbRequest["verb"][],
): readonly VerbRequest[] {
  const open = [...requests].filter(
    ({ id, verb }) => verbs.includes(verb) && lookUp(ledger.requests, id) === undefined,
  );
  return open.toSorted((a, b) => (a.at < b.at ? -1 : 1));
}
