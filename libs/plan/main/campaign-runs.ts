import type { Campaign } from "#libs/campaign";

import type { LedgerState, RunRecord } from "../records/index.ts";

/** The changes of main's history: runs that are not gone, without converging ones, oldest first. */
export function listMainRuns(ledger: Pick<LedgerState, "runs"> | undefined): readonly RunRecord[] {
  return Object.values(ledger?.runs ?? {})
    .filter(({ state, converge }) => state !== "gone" && converge === undefined)
    .toSorted((a, b) => a.order - b.order);
}

/** Main's runs of a campaign: those of its stages, and other changes of its buckets. */
export function listCampaignRuns(ledger: LedgerState | undefined, campaign: string): readonly RunRecord[] {
  return listMainRuns(ledger).filter((run) => run.campaign === campaign);
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
