import type { Campaign } from "#libs/campaign";

import type { LedgerState, RunRecord } from "../records/index.ts";

/** Runs of a campaign that are not gone, in the order of main: those that carry out its stages, or a change of its buckets. */
export function listCampaignRuns(ledger: LedgerState | undefined, campaign: string): readonly RunRecord[] {
  const runs = Object.values(ledger?.runs ?? {}).filter(
    (run) => run.campaign === campaign && run.state !== "gone" && run.converge === undefined,
  );
  return runs.toSorted((a, b) => a.order - b.order);
}

/** Open runs that are not the campaign's and change a bucket that it sets: a person's from before it, or another campaign's. */
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
