import { findNamed } from "#libs/input";
import { printStopCause } from "#libs/wording";

import { type LedgerState, listTakenBack, type RunRecord, type StopRecord } from "../records/index.ts";
import { listRolledBackBuckets } from "../main/index.ts";
import { listRecordedStops } from "../stops/index.ts";

/** The request that this run carries out: the newest rollback in force of one of the runs that it takes back. */
function findRequest(ledger: LedgerState, runs: readonly string[]): StopRecord | undefined {
  return listRecordedStops(ledger)
    .filter(({ cause, scope }) => cause === "rollback" && runs.includes(findNamed("run", scope) ?? ""))
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
}

/**
 * The rollback holds: the ledger commit that starts a rollback's run places one on each of its buckets, and only a person ends
 * it (rules 2.2). They have the strength `move`, so that nothing moves forward there again either. Who and why are those of the
 * request; without one, as where a person merged the older shares, those of the merge.
 */
export function makeRollbackHolds(run: RunRecord, ledger: LedgerState): readonly StopRecord[] {
  const of = listTakenBack(run, Object.values(ledger.runs));
  const request = findRequest(ledger, of);
  const { who, why } = request ?? { who: run.author, why: run.subject };
  return listRolledBackBuckets(run).map((pattern, index) => ({
    id: `rollback-${run.id}-${index + 1}`,
    scope: `bucket/${pattern}`,
    strength: "move",
    at: run.startedAt,
    who,
    why: printStopCause({ code: "RolledBack", of, by: run.id, why }),
    cause: "rolledBack",
    rollbackOf: run.id,
  }));
}
