import { openFakeRepository } from "#fakes/git";
import { openLedger } from "#libs/ledger";
import type { LedgerState } from "#libs/plan";

import type { FleetFlow } from "../fleet-flow.ts";

/** An account that may push to the ledger's branch records any change on top of it. */
export async function forgeLedger(
  flow: FleetFlow,
  change: (ledger: LedgerState) => Partial<LedgerState>,
): Promise<void> {
  const repository = openFakeRepository(flow.remote, { login: "eve" });
  const { ledger: head = "" } = await repository.fetch();
  const before = await openLedger(repository).load(head);
  const next = { ...before, sequence: before.sequence + 1, ...change(before) };
  await openLedger(repository).record({ sentence: "forged", actor: "eve", cause: "Forged", next }, before);
}
