import type { Campaign } from "#libs/campaign";
import type { EvidenceWords } from "#libs/wording";

import { countEnded } from "../../index/index.ts";
import { listCampaignRuns } from "../../main/index.ts";
import { dropAbsent, type LedgerState } from "../../records/index.ts";

/** The evidence for a campaign's next stage: its newest run that is over; undefined before the first. */
export function findEvidence(ledger: LedgerState | undefined, campaign: Campaign): EvidenceWords | undefined {
  const run = listCampaignRuns(ledger, campaign.name).findLast(({ state }) => state === "done" || state === "empty");
  if (run === undefined) return undefined;
  const { id, stage, outcome, bake, gates = {} } = run;
  const { migrated = 0, idle = 0, skipped = 0 } = countEnded(run) ?? {};
  return {
    run: id,
    migrated,
    idle,
    skipped,
    gates: Object.entries(gates)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, gate]) => ({ name, ...gate })),
    ...dropAbsent({ stage, bake, differences: outcome?.differences?.map(({ why }) => why) }),
  };
}
