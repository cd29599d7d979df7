import type { Campaign, Settings, Stage } from "#libs/campaign";

import { nameOwners } from "#libs/wording";

import type { RunRecord, Spec } from "../records/index.ts";

type Belonging = Pick<RunRecord, "campaign" | "stage">;

/** The campaign of a run, as head's files say it; undefined for a person's run, and once the campaign is finished. */
export function findCampaign({ campaigns }: Spec, run: Belonging | undefined): Campaign | undefined {
  return run?.campaign === undefined ? undefined : campaigns.get(run.campaign);
}

/** Who decides about a run: the owners of its campaign, or who merged it. */
export function nameRunOwner(spec: Spec, run: RunRecord): string {
  const campaign = findCampaign(spec, run);
  return campaign === undefined ? run.author : nameOwners(campaign);
}

/** The stage whose settings hold for a run; its campaign's first, the most careful one, where it was renamed meanwhile. */
export function findStage(spec: Spec, run: Belonging | undefined): Stage | undefined {
  const stages = findCampaign(spec, run)?.stages;
  return stages?.find(({ name }) => name === run?.stage) ?? stages?.[0];
}

/** The same where head may be none, or not parse: then what is known of the files as a whole holds. */
export function settingsOver<T extends Settings | undefined>(
  { head, settings }: { readonly head: Spec | undefined; readonly settings: T },
  run: Belonging | undefined,
): Settings | T {
  return (head === undefined ? undefined : findStage(head, run)?.settings) ?? settings;
}

/** What holds for a run by head's files: its stage's settings, or for a person's run those of `meshroll.yml` (rules 1.4, 4.3). */
export function settingsOf(spec: Spec, run: Belonging | undefined): Settings {
  return findStage(spec, run)?.settings ?? spec.settings;
}
