import { type ApprovalRule, builtInSettings, isReached, type Stage } from "#libs/campaign";
import type { ApprovalCause } from "#libs/wording";

import { chooseStage, findNewestSpec } from "../../main/index.ts";
import type { FileChange } from "./judge-change.ts";
import type { PullRequestQuestion } from "./pull-request-facts.ts";

/** A rule that applies, and why. */
export interface ApprovalDemand {
  readonly rule: ApprovalRule;
  readonly cause: ApprovalCause;
}

function demandOf({ settings }: Stage, cause: ApprovalCause): ApprovalDemand {
  return { rule: settings.approvals, cause };
}

/** By main's own campaigns, so that a pull request cannot lower its own number of approvals. */
function demandForBuckets({ before, after, forward }: FileChange): readonly ApprovalDemand[] {
  return [...before.campaigns.values()].flatMap((campaign) => {
    const stage = chooseStage(campaign, [...forward], after);
    return stage === undefined ? [] : [demandOf(stage, { kind: "stage", campaign: campaign.name, stage: stage.name })];
  });
}

function isOfCampaign({ before }: FileChange, pattern: string): boolean {
  return [...before.campaigns.values()].some(({ stages }) => stages.some(({ set }) => Object.hasOwn(set, pattern)));
}

/** For changes of campaigns: the approvals that their next stage needs by main. */
function demandForCampaigns({ before, campaigns }: FileChange): readonly ApprovalDemand[] {
  return [...before.campaigns.values()]
    .filter(({ file }) => campaigns.includes(file))
    .flatMap((campaign) => {
      const stage =
        campaign.stages.find((each) => !isReached(campaign, each, before.rollouts)) ?? campaign.stages.at(-1);
      return stage === undefined ? [] : [demandOf(stage, { kind: "campaignFile", file: campaign.file })];
    });
}

/** Whether a change concerns something outside of main's campaigns. */
function needsOwnRule(change: FileChange): boolean {
  const known = new Set([...change.before.campaigns.values()].map(({ file }) => file));
  const isFree = [...change.forward].some((pattern) => !isOfCampaign(change, pattern));
  return change.settings || change.unread.length > 0 || isFree || change.campaigns.some((file) => !known.has(file));
}

function findOwnRule({ snapshot }: PullRequestQuestion): ApprovalDemand {
  return { rule: (findNewestSpec(snapshot)?.settings ?? builtInSettings).approvals, cause: { kind: "settings" } };
}

function listDemands(question: PullRequestQuestion, change: FileChange | undefined): readonly ApprovalDemand[] {
  const own = findOwnRule(question);
  if (change === undefined) return [own];
  const demands = [...demandForBuckets(change), ...demandForCampaigns(change)];
  // A change that only rolls back belongs to no stage.
  return needsOwnRule(change) || demands.length === 0 ? [...demands, own] : demands;
}

/** Every rule that applies, without duplicates. */
export function listRules(question: PullRequestQuestion, change: FileChange | undefined): readonly ApprovalDemand[] {
  const seen = new Set<string>();
  return listDemands(question, change).filter(({ rule }) => {
    const key = JSON.stringify(rule);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
