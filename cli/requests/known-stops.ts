import { type FleetStatus, isStopScope, type LedgerState } from "#libs/plan";

import type { OpenStop } from "./find-resumed.ts";
import { readLedgerInUse } from "../ledger/read-ledger-in-use.ts";
import { isCurrent } from "../read/read-published.ts";
import { Refusal } from "../terminal/refusal.ts";
import { type RepositoryOptions, withRepository } from "../read/repository.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Longest wait for a silent git server, so that the verb is still placed, real ms. */
const gitLimitMs = 10_000;

/** The ledger as it is now, with these runs read whole; undefined when it cannot be read, or does not exist. */
export async function readLedger(
  options: RepositoryOptions,
  terminal: Terminal,
  runs: readonly string[] = [],
): Promise<LedgerState | undefined> {
  const limit = AbortSignal.timeout(gitLimitMs);
  try {
    return await withRepository(options, terminal, async ({ repository, ledger }) => {
      const state = await readLedgerInUse(repository, ledger, await repository.fetch(limit));
      return state === undefined ? undefined : ledger.recall(state, runs);
    });
  } catch (error) {
    // No repository, or git is down: the caller has another source, or names what is missing.
    if (error instanceof Refusal || limit.aborted) return undefined;
    throw error;
  }
}

/** What the bus carries is untrusted text until it is checked. */
function readStops({ stops }: FleetStatus): readonly OpenStop[] {
  return stops.flatMap(({ scope, ...stop }) => (isStopScope(scope) ? [{ ...stop, scope }] : []));
}

/** Every stop in force: by a live planner's status, else by the ledger, else by the planner's last status. */
export async function listKnownStops(
  status: FleetStatus | undefined,
  options: RepositoryOptions,
  terminal: Terminal,
): Promise<readonly OpenStop[] | undefined> {
  if (status !== undefined && isCurrent(status)) return readStops(status);
  const ledger = await readLedger(options, terminal);
  if (ledger !== undefined) return Object.values(ledger.stops).filter((stop) => stop.resume === undefined);
  return status === undefined ? undefined : readStops(status);
}
