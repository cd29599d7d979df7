import { lookUp } from "#libs/input";

import type { Decision } from "../decision.ts";
import type { LedgerState } from "../ledger-state.ts";
import { findRun } from "../stops.ts";
import type { Ask, World } from "../world.ts";

/** Retries that are not carried out yet. */
export function listRetries({ asks }: Pick<World, "asks">, ledger: LedgerState): readonly Ask[] {
  return asks.filter((ask) => lookUp(ledger.asks, ask.id) === undefined && ask.verb === "retry");
}

/** True while the record that it needs stands in the archive, and was not asked for yet. */
export function isUnread(ask: Ask, ledger: LedgerState): boolean {
  return findRun(ledger, ask.scope)?.archived === "facts";
}

/** Retries of runs whose record is still to be read: the next look has it. */
export function waitForArchive(world: World, ledger: LedgerState): readonly Extract<Decision, { kind: "wait" }>[] {
  const unread = listRetries(world, ledger).filter((ask) => isUnread(ask, ledger));
  return unread.map(({ scope, who }) => {
    const message = `the retry of ${scope} by ${who} waits for its record in the archive of branch meshroll/ledger to be read`;
    return { kind: "wait", scope, reason: { code: "ArchiveUnread", message, owner: "the git server" } };
  });
}
