import type { CampaignWalk } from "../campaign-walk.ts";

/** Number of commits of the ledger branch. */
export function countLedgerCommits({ flow }: CampaignWalk): number {
  let count = 0;
  for (let sha = flow.remote.head("meshroll/ledger"); sha !== undefined; count += 1)
    sha = flow.remote.commit(sha)?.parents[0];
  return count;
}
