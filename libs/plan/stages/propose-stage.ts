import { printMoveList } from "../judge-pull-request-summary.ts";
import { type Proposal, proposeMoves } from "../proposal.ts";
import type { Spec, World } from "../world.ts";
import { describeStage, type StageText } from "./describe-stage.ts";
import type { ProposedStage } from "./verdict.ts";

/** What a stage does to the fleet as it stands, and how people are told. */
export interface StageProposal extends StageText {
  readonly proposal: Proposal;
  readonly digest: string;
}

/** Title and body of a stage's pull request by the fleet of this world. `recorded`: the digest that the ledger has of its head. */
export function proposeStage(
  world: World,
  head: Spec,
  proposed: ProposedStage,
  digestOf: (text: string) => string,
  recorded?: string,
): StageProposal {
  const { campaign, stage, after } = proposed;
  const belonging = { campaign: campaign.name, stage: stage.name };
  const proposal = proposeMoves(head, after, world.clusters.values(), world.now, belonging);
  const digest = recorded ?? digestOf(printMoveList(proposal));
  return { ...describeStage({ world, head, proposed, proposal, digest }), proposal, digest };
}
