import { type Campaign, isReached, type Stage } from "#libs/campaign";
import { printDistributions } from "#libs/rollouts";

import type { RunRecord, Spec } from "../records/index.ts";

/** A campaign that sets a bucket, with the stage by which it does. */
export interface SettingStage {
  readonly campaign: string;
  readonly stage: string;
}

function setsOne(stage: Stage, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => Object.hasOwn(stage.set, pattern));
}

/** The last reached stage that sets one of the buckets; before any is, the first one: it is the most careful. */
export function chooseStage(campaign: Campaign, patterns: readonly string[], after: Spec): Stage | undefined {
  const setting = campaign.stages.filter((stage) => setsOne(stage, patterns));
  return setting.findLast((stage) => isReached(campaign, stage, after.rollouts)) ?? setting[0];
}

/** Each unfinished campaign that sets one of the buckets. */
export function listSettingStages(after: Spec, patterns: readonly string[]): readonly SettingStage[] {
  return [...after.campaigns.values()].flatMap((campaign) => {
    const stage = chooseStage(campaign, patterns, after);
    return stage === undefined ? [] : [{ campaign: campaign.name, stage: stage.name }];
  });
}

/** Buckets in which the run may move a workload forward: where a pattern comes or goes, also those that it sets back. */
function listMovedForward({ changes }: RunRecord): readonly string[] {
  const hasSplit = changes.some(({ from, to }) => from === "" || to === "");
  return changes.filter(({ direction }) => hasSplit || direction === "forward").map(({ pattern }) => pattern);
}

/** Those of the buckets of which main says what it said then. */
function listUnchanged(then: Spec, head: Spec, patterns: readonly string[]): readonly string[] {
  const [had, has] = [printDistributions(then.rollouts), printDistributions(head.rollouts)];
  return patterns.filter((pattern) => had.get(pattern) === has.get(pattern));
}

/**
 * Unfinished campaigns other than the run's that set one of its buckets, where another one than the run's did so in the files of its
 * commit, whatever the ledger says: a run follows the rules of one campaign, and theirs would not hold for their buckets. A bucket
 * that main changed since is not the run's to move any more.
 */
export function listOtherCampaigns(run: RunRecord, head: Spec, specs: ReadonlyMap<string, Spec>): readonly string[] {
  const merged = specs.get(run.commit);
  if (merged === undefined) return [];
  const listOthers = ({ campaigns }: Spec): readonly Campaign[] =>
    [...campaigns.values()].filter(({ name }) => name !== run.campaign);
  const sets = ({ stages }: Campaign, patterns: readonly string[]): boolean =>
    stages.some((stage) => setsOne(stage, patterns));
  const shared = listUnchanged(merged, head, listMovedForward(run)).filter((pattern) =>
    listOthers(merged).some((campaign) => sets(campaign, [pattern])),
  );
  return listOthers(head).flatMap((campaign) => (sets(campaign, shared) ? [campaign.name] : []));
}
