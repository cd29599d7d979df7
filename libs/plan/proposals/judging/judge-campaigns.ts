import { type Campaign, findNextStage, isReached, planRamp, type Stage } from "#libs/campaign";
import { diffRollouts } from "#libs/rollouts";
import type { CampaignFileWords, StageOutcome } from "#libs/wording";

import { dropAbsent, type Spec } from "../../records/index.ts";
import { applyShares } from "../stages/apply-shares.ts";
import type { FileChange } from "./judge-change.ts";

/** The effect of one stage on the present namespaces, after the stages before it. */
function judgeStage(
  campaign: Campaign,
  stage: Stage,
  before: Spec,
  namespaces: readonly string[],
): readonly [StageOutcome, Spec] {
  if (isReached(campaign, stage, before.rollouts)) return [{ kind: "reached" }, before];
  const ramp = planRamp(campaign, stage, before.rollouts);
  if (!ramp.ok) return [{ kind: "impossible", ...dropAbsent({ why: ramp.findings[0]?.message }) }, before];
  const after = applyShares(before, ramp.changes);
  const { moves } = diffRollouts(before.resolver, after.resolver, namespaces);
  return [{ kind: "moves", count: moves.length }, after];
}

function judgeStages(campaign: Campaign, after: Spec, namespaces: readonly string[]) {
  let spec = after;
  const next = findNextStage(campaign, after.rollouts);
  return campaign.stages.map((stage) => {
    const [outcome, then] = judgeStage(campaign, stage, spec, namespaces);
    spec = then;
    return { name: stage.name, isNext: stage === next, set: stage.set, outcome };
  });
}

function judgeFile(file: string, change: FileChange, namespaces: readonly string[]): CampaignFileWords {
  const find = ({ campaigns }: Spec): Campaign | undefined =>
    [...campaigns.values()].find((campaign) => campaign.file === file);
  const [had, has] = [find(change.before), find(change.after)];
  if (has === undefined) return had === undefined ? { file, kind: "none" } : { file, kind: "ends", campaign: had.name };
  const { name, target, replaces } = has;
  const stages = judgeStages(has, change.after, namespaces);
  return { file, kind: had === undefined ? "begins" : "goesOn", campaign: name, target, replaces, stages };
}

/** The effects of changed campaign files, stage by stage. */
export function judgeCampaignFiles(change: FileChange, namespaces: readonly string[]): readonly CampaignFileWords[] {
  return change.campaigns.map((file) => judgeFile(file, change, namespaces));
}
