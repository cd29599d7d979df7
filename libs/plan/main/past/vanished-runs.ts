import type { LedgerState } from "../../records/index.ts";

/**
 * Runs that are over count as gone once a forced push took their commit from main: nothing is rolled back to what they brought. One
 * that is open says so itself, for it waits for the files of its commit.
 */
export function dropVanishedRuns(ledger: LedgerState, vanished: ReadonlySet<string>): LedgerState {
  const lost = Object.values(ledger.runs).filter(
    ({ state, commit }) => (state === "done" || state === "empty") && vanished.has(commit),
  );
  if (lost.length === 0) return ledger;
  const gone = lost.map((run) => [run.id, { ...run, state: "gone" as const }] as const);
  return { ...ledger, runs: { ...ledger.runs, ...Object.fromEntries(gone) } };
}
