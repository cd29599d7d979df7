import { planner, printStopCause } from "#libs/wording";

import {
  type LedgerDecision,
  type LedgerState,
  printTime,
  type RunRecord,
  type Snapshot,
  type Spec,
  type StopRecord,
} from "../records/index.ts";
import { listCampaignRuns, listForwardBuckets, settingsOf } from "../main/index.ts";
import { listRecordedStops, refuseTarget } from "../stops/index.ts";
import { placeStop } from "../transitions/index.ts";

/** The stop for which a run is rolled back by itself, as its settings say; undefined when only a person may do that. */
function findCause(ledger: LedgerState, run: RunRecord, head: Spec): StopRecord | undefined {
  const { rollback, gates } = settingsOf(head, run);
  return listRecordedStops(ledger).find(({ scope, cause, gate }) => {
    if (scope !== `run/${run.id}`) return false;
    if (cause === "failures") return rollback.on.includes("maxFailures");
    const onFail = gates.find(({ name }) => name === gate)?.onFail;
    return cause === "gate" && (onFail === "rollback" || rollback.on.includes("gateFailed"));
  });
}

/** The commit to roll back to: the one before the run, or before the first run of its campaign that main still contains. */
function findTarget(ledger: LedgerState, run: RunRecord, scope: "stage" | "campaign"): string {
  if (scope === "stage" || run.campaign === undefined) return run.before;
  return listCampaignRuns(ledger, run.campaign)[0]?.before ?? run.before;
}

/**
 * A run that its failures or a gate stopped is rolled back automatically where `rollback.on` says so; once only, and never
 * again after a person has ended that rollback (rules 2.4).
 */
export function rollBackAutomatically(snapshot: Snapshot, ledger: LedgerState, head: Spec): LedgerDecision | undefined {
  for (const run of Object.values(ledger.runs)) {
    if (run.state !== "open" || listForwardBuckets(run).length === 0) continue;
    const cause = findCause(ledger, run, head);
    const scope = `run/${run.id}` as const;
    const wasAsked = Object.values(ledger.stops).some((stop) => stop.scope === scope && stop.revertTo !== undefined);
    if (cause === undefined || wasAsked) continue;
    const { mode, scope: reach } = settingsOf(head, run).rollback;
    const commit = findTarget(ledger, run, reach);
    // A run that itself took something back is not rolled back: that would move forward because of a failure.
    if (refuseTarget(snapshot.main, ledger, run, { commit, to: snapshot.specs.get(commit), now: true }) !== undefined)
      continue;
    const stop: StopRecord = {
      id: `rollback-${run.id}`,
      scope,
      strength: "move",
      at: printTime(snapshot.now),
      who: planner,
      why: printStopCause({ code: "RollbackOn", why: cause.why }),
      cause: "rollback",
      revertTo: commit,
      ...(mode === "now" ? { now: true as const } : {}),
    };
    return placeStop(snapshot, ledger, stop);
  }
  return undefined;
}
