import type { Reason } from "#libs/wording";

import { nameDoubt, type Snapshot } from "../records/index.ts";

/** Limit for the age of the last read of git, real ms (rules 12.1): afterwards no new run, batch or proposal. */
export const gitLimitMs = 10 * 60_000;

/** What stops everything; undefined when nothing does. */
export function findFleetObstacle(snapshot: Snapshot): Reason | undefined {
  if (snapshot.main.head === "") return { code: "GitDown", age: "never", hinders: "moves" };
  if (snapshot.ledgerDoubt !== undefined) return nameDoubt(snapshot.ledgerDoubt);
  if (snapshot.ledger === undefined) return { code: "NoBaseline", hinders: "moves" };
  if (snapshot.main.ageMs <= gitLimitMs) return undefined;
  const seconds = Math.round(snapshot.main.ageMs / 1000);
  return { code: "GitDown", age: Number.isFinite(seconds) ? { seconds } : "sinceStart", hinders: "moves" };
}

/** Why no transition can be decided now; undefined when the ledger accepts them. */
export function findLedgerObstacle({ ledgerDown, ledgerSlow }: Snapshot): Reason | undefined {
  if (ledgerDown !== undefined) return { code: "LedgerDown", why: ledgerDown };
  return ledgerSlow === undefined ? undefined : { code: "LedgerSlow", why: ledgerSlow };
}
