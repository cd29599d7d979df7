import { type Campaign, isReached, type Stage } from "#libs/campaign";

import type { BucketChange, LedgerState, PlanRecord, RunRecord } from "./ledger-state.ts";
import type { Spec } from "./world.ts";

type Belonging = Pick<RunRecord, "campaign" | "stage" | "list">;

function setsOne(stage: Stage, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => pattern in stage.set);
}

/** The last reached stage that sets one of the buckets; before any is, the first one: it is the most careful. */
function chooseStage(campaign: Campaign, patterns: readonly string[], after: Spec): Stage | undefined {
  const setting = campaign.stages.filter((stage) => setsOne(stage, patterns));
  return setting.findLast((stage) => isReached(campaign, stage, after.rollouts)) ?? setting[0];
}

function nameChanges(changes: readonly BucketChange[]): string {
  return JSON.stringify(changes.map(({ pattern, from, to }) => [pattern, from, to]));
}

/** The newest proposal that said of main what this commit did to it, however it was merged: squashed, rebased or by hand. */
function findList(
  ledger: LedgerState,
  stage: string,
  campaign: string,
  changes: readonly BucketChange[],
): string | undefined {
  const same = Object.values(ledger.plans).filter(
    (plan: PlanRecord) =>
      plan.campaign === campaign && plan.stage === stage && nameChanges(plan.changes) === nameChanges(changes),
  );
  return same.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1)?.head;
}

/**
 * Anybody's commit on a bucket of an unfinished campaign is that campaign's run, with the settings of the last reached stage
 * that sets the bucket (rules 1.5); and the list that its pull request named, when there was one (rules 10.2).
 */
export function findBelonging(ledger: LedgerState, after: Spec, changes: readonly BucketChange[]): Belonging {
  const forward = changes.filter(({ direction }) => direction === "forward");
  const patterns = (forward.length > 0 ? forward : changes).map(({ pattern }) => pattern);
  const superseded = new Set([...after.campaigns.values()].flatMap(({ supersedes }) => supersedes));
  for (const campaign of after.campaigns.values()) {
    if (superseded.has(campaign.name)) continue;
    const stage = chooseStage(campaign, patterns, after);
    if (stage === undefined) continue;
    const list = findList(ledger, stage.name, campaign.name, changes);
    return { campaign: campaign.name, stage: stage.name, ...(list === undefined ? {} : { list }) };
  }
  return {};
}
