import type { TransitionReasonOf } from "#libs/wording";

import { isPureRollback, listCampaignRuns, listForwardBuckets } from "../main/index.ts";
import { dropAbsent, findRollbackOf, type LedgerState, type RunRecord } from "../records/index.ts";
import { listRecordedStops } from "../stops/index.ts";

type RolledBack = Extract<TransitionReasonOf<"NothingToRetry">["missing"], { readonly kind: "rolledBack" }>;

/** The active holds that rollbacks left on the run's buckets: none of the buckets moves forward again before they end. */
function listHolds(ledger: LedgerState, run: RunRecord): readonly string[] {
  const scopes = listForwardBuckets(run).map((pattern) => `bucket/${pattern}`);
  const held = listRecordedStops(ledger).filter(
    ({ cause, scope }) => cause === "rolledBack" && scopes.some((each) => each === scope),
  );
  return [...new Set(held.map(({ scope }) => scope))].toSorted();
}

/** The newest later run of the same stage that still stands. */
function findNext(ledger: LedgerState, { campaign, stage, order }: RunRecord): string | undefined {
  if (campaign === undefined || stage === undefined) return undefined;
  const all = Object.values(ledger.runs);
  return listCampaignRuns(ledger, campaign).findLast(
    (each) =>
      each.order > order &&
      each.stage === stage &&
      each.state !== "gone" &&
      !isPureRollback(each) &&
      findRollbackOf(each, all) === undefined,
  )?.id;
}

/** Why a run that was rolled back has nothing to retry, and how its change comes again. `by`: the rollback's run. */
export function describeRolledBack(ledger: LedgerState, run: RunRecord, by: string): RolledBack {
  const stage = run.campaign === undefined ? undefined : run.stage;
  return {
    kind: "rolledBack",
    run: run.id,
    by,
    holds: listHolds(ledger, run),
    ...dropAbsent({ stage, next: findNext(ledger, run) }),
  };
}
