import type { Campaign } from "#libs/campaign";
import type { EarlierTry, EvidenceWords, LostEvidence } from "#libs/wording";

import { countEnded } from "../../index/index.ts";
import { isPureRollback, listCampaignRuns } from "../../main/index.ts";
import { dropAbsent, findRollbackOf, type LedgerState, type RunRecord, type StopRecord } from "../../records/index.ts";

/** The newest run that is over, moved forward, and still stands. */
function findProof(ledger: LedgerState | undefined, campaign: Campaign): RunRecord | undefined {
  const all = Object.values(ledger?.runs ?? {});
  return listCampaignRuns(ledger, campaign.name).findLast(
    (run) =>
      (run.state === "done" || run.state === "empty") && !isPureRollback(run) && findRollbackOf(run, all) === undefined,
  );
}

/** The newest run that is over and moved forward, where it was rolled back. */
function findLost(ledger: LedgerState | undefined, campaign: Campaign): LostEvidence | undefined {
  const run = listCampaignRuns(ledger, campaign.name).findLast(
    (each) => each.state !== "open" && !isPureRollback(each),
  );
  const by = run === undefined ? undefined : findRollbackOf(run, Object.values(ledger?.runs ?? {}));
  return run === undefined || by === undefined ? undefined : { lost: run.id, by };
}

/**
 * The evidence for a campaign's next stage: its newest run that is over; undefined before the first. A rollback proves nothing about
 * the target, and neither does a run that was rolled back.
 */
export function findEvidence(
  ledger: LedgerState | undefined,
  campaign: Campaign,
): EvidenceWords | LostEvidence | undefined {
  const run = findProof(ledger, campaign);
  if (run === undefined) return findLost(ledger, campaign);
  const { id, stage, outcome, bake, gates = {} } = run;
  const { migrated = 0, idle = 0, skipped = 0, failed = 0 } = countEnded(run) ?? {};
  return {
    run: id,
    migrated,
    idle,
    skipped,
    failed,
    gates: Object.entries(gates)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, gate]) => ({ name, ...gate })),
    ...dropAbsent({ stage, bake, differences: outcome?.differences?.map(({ why }) => why) }),
  };
}

/** The newest request of a rollback of the run; an archived one has no reason any more. */
function findRequest(ledger: LedgerState, run: string): StopRecord | undefined {
  return Object.values(ledger.stops)
    .filter(({ scope, cause, why }) => scope === `run/${run}` && cause === "rollback" && why !== "")
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
}

/** The newest run of a stage, where a rollback took it back; undefined for a stage that was not tried, or not rolled back. */
export function findEarlierTry(
  ledger: LedgerState | undefined,
  campaign: Pick<Campaign, "name">,
  stage: string,
): EarlierTry | undefined {
  if (ledger === undefined) return undefined;
  const run = listCampaignRuns(ledger, campaign.name).findLast((each) => each.stage === stage && !isPureRollback(each));
  const by = run === undefined ? undefined : findRollbackOf(run, Object.values(ledger.runs));
  if (run === undefined || by === undefined) return undefined;
  const request = findRequest(ledger, run.id);
  const counts = countEnded(run);
  return {
    stage,
    run: run.id,
    by,
    // The archive of an earlier version has only zeros for it.
    ...dropAbsent({ counts: counts?.workloads === 0 ? undefined : counts, who: request?.who, why: request?.why }),
  };
}
