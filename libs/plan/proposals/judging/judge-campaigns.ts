import { type Campaign, findNextStage, isReached, planRamp, type Stage } from "#libs/campaign";
import { diffRollouts } from "#libs/rollouts";

import type { Spec } from "../../records/index.ts";
import type { FileChange } from "./judge-change.ts";
import { code, escapeCell } from "./pull-request-facts.ts";
import { printNumber, printTable } from "../print-tables.ts";
import { applyShares } from "../stages/apply-shares.ts";

function printSet({ set }: Stage): string {
  return Object.entries(set)
    .map(([pattern, share]) => `${code(pattern)} ${share} %`)
    .join(", ");
}

/** What becomes of one stage, by the namespaces of the fleet as they are: stages before it are taken as merged. */
function countStage(campaign: Campaign, stage: Stage, before: Spec, namespaces: readonly string[]): [string, Spec] {
  if (isReached(campaign, stage, before.rollouts)) return ["reached", before];
  const ramp = planRamp(campaign, stage, before.rollouts);
  if (!ramp.ok) return [`cannot be proposed: ${ramp.findings[0]?.message ?? "its shares cannot be raised"}`, before];
  const after = applyShares(before, ramp.changes);
  const { moves } = diffRollouts(before.resolver, after.resolver, namespaces);
  const empty = "**no workload**: it will not be proposed, raise its percentage or take it out";
  return [moves.length === 0 ? empty : printNumber(moves.length), after];
}

function printStages(campaign: Campaign, after: Spec, namespaces: readonly string[]): string {
  let spec = after;
  const next = findNextStage(campaign, after.rollouts);
  const rows = campaign.stages.map((stage) => {
    const [moves, then] = countStage(campaign, stage, spec, namespaces);
    spec = then;
    const name = stage === next ? `${code(stage.name)} (next)` : code(stage.name);
    return [name, printSet(stage), escapeCell(moves)];
  });
  return printTable(["stage", "sets", "namespaces that move"], rows);
}

function describeOne(file: string, change: FileChange, namespaces: readonly string[]): string {
  const find = ({ campaigns }: Spec): Campaign | undefined =>
    [...campaigns.values()].find((campaign) => campaign.file === file);
  const [had, has] = [find(change.before), find(change.after)];
  if (has === undefined) {
    const end = had === undefined ? "It is no unfinished campaign." : `${code(had.name)} proposes nothing any more.`;
    return `${code(file)}: ${end}`;
  }
  const verb = had === undefined ? "begins" : "goes on";
  const head = `${code(file)}: ${code(has.name)} ${verb} to ${code(has.target)}, in place of ${has.replaces.map(code).join(", ")}.`;
  return `${head}\n\n${printStages(has, change.after, namespaces)}`;
}

/** What changed campaign files will do from now on, stage by stage; "" when none changes. */
export function printCampaigns(change: FileChange, namespaces: readonly string[]): string {
  return change.campaigns.map((file) => describeOne(file, change, namespaces)).join("\n\n");
}
