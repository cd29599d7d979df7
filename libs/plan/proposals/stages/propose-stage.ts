import type { Snapshot, Spec } from "../../records/index.ts";
import { printMoveList } from "../judging/write-summary.ts";
import { type Proposal, proposeMoves } from "../proposal.ts";
import { describeStage, type StageText } from "../stage-text/describe-stage.ts";
import type { ProposedStage } from "./verdict.ts";

/** What a stage does to the fleet as it stands, and how people are told. */
export interface StageProposal extends StageText {
  readonly proposal: Proposal;
  readonly digest: string;
}

/** Title and body of a stage's pull request by the fleet of this snapshot. `recorded`: the digest that the ledger has of its head. */
export function proposeStage(
  snapshot: Snapshot,
  head: Spec,
  proposed: ProposedStage,
  digestOf: (text: string) => string,
  recorded?: string,
): StageProposal {
  const { campaign, stage, after } = proposed;
  const belonging = { campaign: campaign.name, stage: stage.name };
  const proposal = proposeMoves(head, after, snapshot.clusters.values(), snapshot.now, belonging);
  const digest = recorded ?? digestOf(printMoveList(proposal));
  return { ...describeStage({ snapshot, head, proposed, proposal, digest }), proposal, digest };
}
