import type { LedgerState, RunRecord } from "../records/index.ts";
import type { Subject } from "./stops.ts";

type Belonging = Pick<RunRecord, "campaign" | "stage" | "beside">;

/** All campaigns that a run is one of: the one by whose settings it goes, and others that set one of its buckets (rules 1.5). */
export function listCampaigns({ campaign, beside = [] }: Belonging): readonly string[] {
  return campaign === undefined ? [] : [campaign, ...beside.map((each) => each.campaign)];
}

/** True when it is one of the campaign's runs. */
export function isRunOf(run: Belonging, campaign: string): boolean {
  return listCampaigns(run).includes(campaign);
}

/** The campaign that had a say in one of the run's buckets when it began. */
export function nameCampaignOf({ campaign, beside = [] }: Belonging, bucket: string): string | undefined {
  return beside.find(({ buckets }) => buckets.includes(bucket))?.campaign ?? campaign;
}

/** The stage of this campaign by which the run counts. */
export function nameStageOf({ campaign, stage, beside = [] }: Belonging, name: string): string | undefined {
  return campaign === name ? stage : beside.find((each) => each.campaign === name)?.stage;
}

/** Runs of a campaign that are not gone, in the order of main. */
export function listCampaignRuns(ledger: LedgerState | undefined, campaign: string): readonly RunRecord[] {
  const runs = Object.values(ledger?.runs ?? {}).filter((run) => isRunOf(run, campaign) && run.state !== "gone");
  return runs.toSorted((a, b) => a.order - b.order);
}

/** The same, as a stop's scope is matched with them. */
export function nameCampaigns(run: Belonging | undefined): Pick<Subject, "campaign" | "beside"> {
  const { campaign, beside } = run ?? {};
  return beside === undefined ? { campaign } : { campaign, beside: beside.map((each) => each.campaign) };
}
