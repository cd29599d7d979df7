import { type Campaign, findNextStage, type Stage } from "#libs/campaign";
import type { Rollouts } from "#libs/rollouts";

import { refuseUnknown } from "../names/unknown-name.ts";

/** The stage to plan. */
export interface ChosenStage {
  readonly stage: Stage;
  /** Earlier stages that are not reached. */
  readonly before: readonly string[];
}

/** A share that no stage has, with the other fields of the current stage: "what if production were at 30 %?" */
function makeStage(campaign: Campaign, like: Stage, percent: number): Stage {
  const set = Object.fromEntries(Object.keys(like.set).map((pattern) => [pattern, percent]));
  return { ...like, name: `${campaign.name} at ${percent} %`, set };
}

function readPercent(text: string): number | undefined {
  const digits = /^(\d{1,3})\s*%?$/u.exec(text)?.[1];
  return digits === undefined || Number(digits) > 100 ? undefined : Number(digits);
}

/**
 * The stage by name, by a whole percentage (of the next stage's buckets), or the next one; undefined when all are reached and
 * none was named.
 */
export function chooseStage(campaign: Campaign, rollouts: Rollouts, to: string | undefined): ChosenStage | undefined {
  const next = findNextStage(campaign, rollouts);
  if (to === undefined) return next === undefined ? undefined : { stage: next, before: [] };
  const named = campaign.stages.find(({ name }) => name === to);
  if (named !== undefined) {
    const at = campaign.stages.indexOf(named);
    const first = next === undefined ? at : campaign.stages.indexOf(next);
    return { stage: named, before: campaign.stages.slice(first, at).map(({ name }) => name) };
  }
  const percent = readPercent(to);
  const like = next ?? campaign.stages.at(-1);
  if (percent !== undefined && like !== undefined) return { stage: makeStage(campaign, like, percent), before: [] };
  throw refuseUnknown(
    "stage",
    to,
    campaign.stages.map(({ name }) => name),
  );
}
