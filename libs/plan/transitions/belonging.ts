import { type Campaign, isReached, type Stage } from "#libs/campaign";

import { isLabelName } from "#libs/input";

import type { BesideCampaign, BucketChange, LedgerState, PlanRecord, RunRecord, Spec } from "../records/index.ts";

type Belonging = Pick<RunRecord, "campaign" | "stage" | "beside" | "list">;

function setsOne(stage: Stage, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => Object.hasOwn(stage.set, pattern));
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

/** Each campaign that sets one of the patterns, with the stage by which it does. */
function listSetting(after: Spec, patterns: readonly string[]): readonly BesideCampaign[] {
  const unread = new Set(after.unread?.map(({ name }) => name));
  // What cannot be gone by takes nobody's buckets: of two that supersede each other each keeps its own.
  const readable = [...after.campaigns.values()].filter(({ name }) => !unread.has(name));
  const superseded = new Set(readable.flatMap(({ supersedes }) => supersedes));
  return [...after.campaigns.values()].flatMap((campaign) => {
    const stage = superseded.has(campaign.name) ? undefined : chooseStage(campaign, patterns, after);
    if (stage === undefined) return [];
    const buckets = patterns.filter((pattern) => campaign.stages.some((each) => Object.hasOwn(each.set, pattern)));
    return [{ campaign: campaign.name, stage: stage.name, buckets }];
  });
}

/**
 * Campaigns whose file came with the commit and cannot be read: which buckets they set is not known, but file and buckets were
 * meant together. `commits`: it, and those before it that did not parse.
 */
function listBrought(
  { unread = [], campaigns }: Spec,
  commits: ReadonlySet<string>,
  setting: readonly BesideCampaign[],
): readonly BesideCampaign[] {
  const brought = unread.filter(({ name, since = "" }) => commits.has(since) && isLabelName(name));
  const others = brought.filter(({ name }) => !setting.some(({ campaign }) => campaign === name));
  return others.map(({ name }) => {
    const stage = campaigns.get(name)?.stages[0]?.name ?? "unread";
    return { campaign: name, stage, buckets: [] };
  });
}

/**
 * Anybody's commit on a bucket of an unfinished campaign is that campaign's run, with the settings of the last reached stage
 * that sets the bucket (rules 1.5). Where several campaigns set its buckets it is the run of each: one commit goes by the
 * settings of one, the first, and the others wait for it. With it comes the list that its pull request named, when there
 * was one (rules 10.2).
 */
export function findBelonging(
  ledger: LedgerState,
  after: Spec,
  changes: readonly BucketChange[],
  commits: ReadonlySet<string> = new Set([after.commit]),
): Belonging {
  const forward = changes.filter(({ direction }) => direction === "forward");
  const patterns = (forward.length > 0 ? forward : changes).map(({ pattern }) => pattern);
  const setting = listSetting(after, patterns);
  const [first, ...beside] = [...setting, ...(forward.length > 0 ? listBrought(after, commits, setting) : [])];
  if (first === undefined) return {};
  const { campaign, stage } = first;
  const list = findList(ledger, stage, campaign, changes);
  return {
    campaign,
    stage,
    ...(beside.length === 0 ? {} : { beside }),
    ...(list === undefined ? {} : { list }),
  };
}
