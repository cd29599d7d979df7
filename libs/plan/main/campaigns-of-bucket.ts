import { type Campaign, isReached, type Stage } from "#libs/campaign";
import { printDistributions } from "#libs/rollouts";

import type { RunRecord, Spec } from "../records/index.ts";
import { changesPatterns, listForwardBuckets } from "./rollbacks.ts";

/** A campaign that sets a bucket, and the stage whose settings apply to a change of it. */
export interface StageOfBucket {
  readonly campaign: string;
  readonly stage: string;
}

function setsOne(stage: Stage, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => Object.hasOwn(stage.set, pattern));
}

/** The last reached stage that sets one of the buckets; when none is reached, the first one, which is the most careful. */
export function chooseStage(campaign: Campaign, patterns: readonly string[], after: Spec): Stage | undefined {
  const setting = campaign.stages.filter((stage) => setsOne(stage, patterns));
  return setting.findLast((stage) => isReached(campaign, stage, after.rollouts)) ?? setting[0];
}

/** Each unfinished campaign that sets one of the buckets, with its stage. */
export function listStagesOfBuckets(after: Spec, patterns: readonly string[]): readonly StageOfBucket[] {
  return [...after.campaigns.values()].flatMap((campaign) => {
    const stage = chooseStage(campaign, patterns, after);
    return stage === undefined ? [] : [{ campaign: campaign.name, stage: stage.name }];
  });
}

/**
 * Buckets in which the run may move a workload forward. Where it adds or removes a pattern, namespaces change buckets, so those
 * that it sets back count too.
 */
function listMovedForward(run: RunRecord): readonly string[] {
  return changesPatterns(run) ? run.changes.map(({ pattern }) => pattern) : listForwardBuckets(run);
}

/** The buckets whose distribution is the same in both files. */
function listUnchanged(then: Spec, head: Spec, patterns: readonly string[]): readonly string[] {
  const [had, has] = [printDistributions(then.rollouts), printDistributions(head.rollouts)];
  return patterns.filter((pattern) => had.get(pattern) === has.get(pattern));
}

/**
 * Other unfinished campaigns that set one of the run's buckets, if such a campaign did so already in the files of the run's
 * commit, whatever the ledger says. A run follows the rules of one campaign, which do not suit another campaign's buckets.
 * Buckets that main has changed since no longer belong to the run.
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
