import { openFakeRepository } from "#fakes/git";
import { openLedger } from "#libs/ledger";
import type { LedgerState, RunRecord } from "#libs/plan";

import type { FleetFlow } from "../fleet-flow.ts";

/** Eve, who may push to the ledger branch, records what she likes on top of it. */
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

/** The same for one run. */
export async function forgeRun(
  flow: FleetFlow,
  id: string,
  change: (run: RunRecord) => Partial<RunRecord>,
): Promise<void> {
  const changeRun = ({ runs }: LedgerState): Partial<LedgerState> => {
    const run = runs[id];
    if (run === undefined) throw new Error(`there is no run ${id}`);
    return { runs: { ...runs, [id]: { ...run, ...change(run) } } };
  };
  await forgeLedger(flow, changeRun);
}
