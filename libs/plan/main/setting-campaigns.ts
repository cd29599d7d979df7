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

/** Unfinished campaigns that no other one supersedes: each has its buckets. */
function listOwners({ campaigns, unread: broken }: Spec): readonly Campaign[] {
  const unread = new Set(broken?.map(({ name }) => name));
  // What cannot be used takes no buckets over: of two that supersede each other each keeps its own.
  const readable = [...campaigns.values()].filter(({ name }) => !unread.has(name));
  const superseded = new Set(readable.flatMap(({ supersedes }) => supersedes));
  return [...campaigns.values()].filter(({ name }) => !superseded.has(name));
}

/** Each unfinished campaign that sets one of the buckets. */
export function listSettingStages(after: Spec, patterns: readonly string[]): readonly SettingStage[] {
  return listOwners(after).flatMap((campaign) => {
    const stage = chooseStage(campaign, patterns, after);
    return stage === undefined ? [] : [{ campaign: campaign.name, stage: stage.name }];
  });
}

/** Those of the buckets that a campaign other than this one sets. */
function listForeign(spec: Spec, patterns: readonly string[], campaign: string | undefined): readonly string[] {
  const others = listOwners(spec).filter(({ name }) => name !== campaign);
  const set = new Set(others.flatMap(({ stages }) => stages.flatMap((stage) => Object.keys(stage.set))));
  return patterns.filter((pattern) => set.has(pattern));
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
 * Campaigns other than the run's that set one of its buckets on main now, where another one did so when it was merged: by the
 * files of that commit, whatever the ledger says. One whose file came with the commit and cannot be read may set any of them.
 * A bucket that main changed since is not the run's to move any more.
 */
export function listOtherCampaigns(run: RunRecord, head: Spec, specs: ReadonlyMap<string, Spec>): readonly string[] {
  const merged = specs.get(run.commit);
  if (merged === undefined) return [];
  const patterns = listUnchanged(merged, head, listMovedForward(run));
  const brought = (merged.unread ?? []).filter(({ name, since }) => since === merged.commit && name !== run.campaign);
  const shared = new Set(brought.length > 0 ? patterns : listForeign(merged, patterns, run.campaign));
  if (shared.size === 0) return [];
  const setting = [...head.campaigns.values()].filter(({ stages }) =>
    stages.some(({ set }) => Object.keys(set).some((pattern) => shared.has(pattern))),
  );
  const unread = brought.filter(({ name }) => head.unread?.some((each) => each.name === name));
  return [...new Set([...setting, ...unread].map(({ name }) => name))].filter((name) => name !== run.campaign);
}
