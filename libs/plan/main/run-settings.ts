import type { BatchSettings, Campaign, Settings, Stage } from "#libs/campaign";

import { nameOwners } from "#libs/wording";

import type { RunRecord, Spec } from "../records/index.ts";

type Belonging = Pick<RunRecord, "campaign" | "stage">;

/** The campaign of a run in head's files; undefined for a person's run, and once the campaign is finished. */
export function findCampaign({ campaigns }: Spec, run: Belonging | undefined): Campaign | undefined {
  return run?.campaign === undefined ? undefined : campaigns.get(run.campaign);
}

/** Who decides about a run: the owners of its campaign, or its author. */
export function nameRunOwner(spec: Spec, run: RunRecord): string {
  const campaign = findCampaign(spec, run);
  return campaign === undefined ? run.author : nameOwners(campaign);
}

/**
 * The stage whose settings apply to a run. Where the stage was renamed or removed, the campaign's first, which is the most
 * careful.
 */
export function findStage(spec: Spec, run: Belonging | undefined): Stage | undefined {
  const stages = findCampaign(spec, run)?.stages;
  return stages?.find(({ name }) => name === run?.stage) ?? stages?.[0];
}

/** The settings of a run's stage; where head does not parse or the run has no stage, the given ones. */
export function settingsOver<T extends Settings | undefined>(
  { head, settings }: { readonly head: Spec | undefined; readonly settings: T },
  run: Belonging | undefined,
): Settings | T {
  return (head === undefined ? undefined : findStage(head, run)?.settings) ?? settings;
}

/** The batch settings of a move: `rollback.batch` for a rollback (rules 2.3). */
export function chooseBatchSettings(settings: Settings, isRollback: boolean): BatchSettings {
  return isRollback ? settings.rollbackBatch : settings.batch;
}

/**
 * The settings that apply to a run by head's files: those of its stage, or for a person's run those of `meshroll.yml` (rules
 * 1.4, 4.3).
 */
export function settingsOf(spec: Spec, run: Belonging | undefined): Settings {
  return findStage(spec, run)?.settings ?? spec.settings;
}
