import type { OutlookWords } from "#libs/wording";

import type { Proposal } from "../proposal.ts";
import type { ProposedStage } from "../stages/verdict.ts";
import { estimateRollback, type StageEstimate } from "./estimate.ts";

/** What happens to a stage after its merge, or without it. */
export function describeOutlook(
  { campaign, stage }: ProposedStage,
  proposal: Proposal,
  { clusters, latestMs }: StageEstimate,
): OutlookWords {
  const workloads = proposal.clusters.map((each) => each.workloads);
  const rollbackMs = estimateRollback(stage.settings.rollbackBatch, workloads);
  return { campaign, stage, clusters, moves: proposal.moves.length, rollbackMs, latestMs };
}
