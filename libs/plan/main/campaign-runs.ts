import type { Campaign } from "#libs/campaign";

import type { LedgerState, RunRecord } from "../records/index.ts";

/**
 * Runs of a campaign that are not gone, in the order of main: those of its stages, and other changes of its buckets. Converging
 * runs are left out.
 */
export function listCampaignRuns(ledger: LedgerState | undefined, campaign: string): readonly RunRecord[] {
  const runs = Object.values(ledger?.runs ?? {}).filter(
    (run) => run.campaign === campaign && run.state !== "gone" && run.converge === undefined,
  );
  return runs.toSorted((a, b) => a.order - b.order);
}

/**
 * Open runs that change one of the campaign's buckets without belonging to it: a person's from before it, or another
 * campaign's.
 */
export function listOpenOnBuckets(
  ledger: LedgerState | undefined,
  { name, stages }: Pick<Campaign, "name" | "stages">,
): readonly RunRecord[] {
  const patterns = new Set(stages.flatMap(({ set }) => Object.keys(set)));
  return Object.values(ledger?.runs ?? {}).filter(
    ({ state, campaign, buckets, converge }) =>
      state === "open" &&
      converge === undefined &&
      campaign !== name &&
      buckets.some((pattern) => patterns.has(pattern)),
  );
}
