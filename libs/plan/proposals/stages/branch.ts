import { type Campaign, findNextStage, planRamp } from "#libs/campaign";

import type { LedgerState, Spec } from "../../records/index.ts";
import type { NextStage } from "./verdict.ts";

/** The stage of one of our branches; rounds count from 1. */
export interface StageBranch {
  readonly campaign: string;
  readonly stage: string;
  readonly round: number;
}

/** The id of the hold for a pull request that a person closed unmerged, by its number (rules 10.3). */
export function nameClosedHold(number: number): string {
  return `closed-${number}`;
}

/** Earlier proposals of a stage: merged ones, by their run's list, and closed ones. */
function countRounds(ledger: LedgerState | undefined, campaign: string, stage: string): number {
  const runs = Object.values(ledger?.runs ?? {});
  const merged = runs.filter((run) => run.campaign === campaign && run.stage === stage && run.list !== undefined);
  const stops = Object.values(ledger?.stops ?? {});
  const closed = stops.filter(
    (stop) => stop.cause === "closed" && stop.scope === `campaign/${campaign}` && stop.stage === stage,
  );
  return merged.length + closed.length;
}

export function printStageBranch({ campaign, stage, round }: StageBranch): string {
  return `meshroll/${campaign}/${stage}${round > 1 ? `-${round}` : ""}`;
}

/** The branch for a stage's next proposal; a used one is never used again (rules 10.3). */
export function nameStageBranch(ledger: LedgerState | undefined, campaign: string, stage: string): string {
  return printStageBranch({ campaign, stage, round: countRounds(ledger, campaign, stage) + 1 });
}

function splitRound(name: string): { readonly stage: string; readonly round: number } {
  const [, stage, digits] = /^(.+)-([2-9]|[1-9]\d+)$/u.exec(name) ?? [];
  return stage === undefined ? { stage: name, round: 1 } : { stage, round: Number(digits) };
}

/** Parses one of our branches; undefined for any other. The campaign's file tells a stage whose name ends in `-2`. */
export function readStageBranch(branch: string, campaigns: ReadonlyMap<string, Campaign>): StageBranch | undefined {
  const [, campaign, name] = /^meshroll\/([^/]+)\/([^/]+)$/u.exec(branch) ?? [];
  if (campaign === undefined || name === undefined || campaign === "rollback") return undefined;
  const isStage = campaigns.get(campaign)?.stages.some((stage) => stage.name === name) === true;
  return { campaign, ...(isStage ? { stage: name, round: 1 } : splitRound(name)) };
}

/** The stage of an unfinished campaign whose branch this is; undefined for other branches. */
export function findStageOfBranch(
  branch: string,
  campaigns: ReadonlyMap<string, Campaign>,
): Pick<NextStage, "campaign" | "stage"> | undefined {
  const named = readStageBranch(branch, campaigns);
  const campaign = campaigns.get(named?.campaign ?? "");
  const stage = campaign?.stages.find(({ name }) => name === named?.stage);
  return campaign === undefined || stage === undefined ? undefined : { campaign, stage };
}

/** The stage of a branch with its changes of shares, where it is the next one of its campaign; undefined otherwise. */
export function planStageOfBranch(branch: string, head: Spec) {
  const found = findStageOfBranch(branch, head.campaigns);
  if (found === undefined || findNextStage(found.campaign, head.rollouts) !== found.stage) return undefined;
  const ramp = planRamp(found.campaign, found.stage, head.rollouts);
  return ramp.ok ? { ...found, changes: ramp.changes } : undefined;
}
