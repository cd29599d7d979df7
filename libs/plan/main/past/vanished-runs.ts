import type { LedgerState } from "../../records/index.ts";

/**
 * After a forced push removed their commit from main, ended runs count as gone, so that nothing is rolled back to what they
 * brought. An open run with a lost commit is reported by itself: it waits for its files.
 */
export function dropVanishedRuns(ledger: LedgerState, vanished: ReadonlySet<string>): LedgerState {
  const lost = Object.values(ledger.runs).filter(
    ({ state, commit }) => (state === "done" || state === "empty") && vanished.has(commit),
  );
  if (lost.length === 0) return ledger;
  const gone = lost.map((run) => [run.id, { ...run, state: "gone" as const }] as const);
  return { ...ledger, runs: { ...ledger.runs, ...Object.fromEntries(gone) } };
}
