import type { LedgerState } from "#libs/plan";

import type { Evidence } from "../auditor/evidence/evidence.ts";
import type { CampaignWalk } from "./campaign-walk.ts";
import { listMain, readAuditedLedger } from "./flow-evidence.ts";

/** Commits of the ledger branch. */
export function countLedgerCommits({ flow }: CampaignWalk): number {
  let count = 0;
  for (let sha = flow.remote.head("meshroll/ledger"); sha !== undefined; count += 1)
    sha = flow.remote.commit(sha)?.parents[0];
  return count;
}

/** All that the auditor judges a walk by. */
export function makeEvidence(walk: CampaignWalk, ledger: LedgerState): Evidence {
  return {
    main: listMain(walk.flow.remote),
    clusters: walk.recorders.map((recorder) => recorder.take()),
    ledgerRuns: Object.keys(ledger.runs),
    ledger: readAuditedLedger(walk.flow.remote, ledger),
  };
}
