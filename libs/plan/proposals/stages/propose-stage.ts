import type { Snapshot, Spec } from "../../records/index.ts";
import { printMoveList } from "../judging/list-moves.ts";
import { type Proposal, proposeMoves } from "../proposal.ts";
import { describeStage } from "../stage-facts/describe-stage.ts";
import { nameStage, type NextStage, type ProposedStage } from "./verdict.ts";
import { editShares } from "#libs/rollouts";
import type { Reason, StageWords } from "#libs/wording";
import { rolloutsPath } from "../../main/index.ts";

export type StageEdit =
  | { readonly ok: true; readonly text: string }
  /** Only a person can make the edit. */
  | { readonly ok: false; readonly reason: Reason };

/** Main's `rollouts.yml` with the stage's shares: digits change, or one line is added; all other bytes stay. */
export function editStage(proposed: NextStage & Pick<ProposedStage, "changes">, text: string | undefined): StageEdit {
  const { branch, changes } = proposed;
  const edited = editShares(text ?? "", changes, rolloutsPath);
  if (edited.ok) return edited;
  const [finding] = edited.findings;
  if (finding === undefined) throw new Error("bug: an edit was refused without a finding");
  const why = finding.message;
  const path = rolloutsPath;
  return { ok: false, reason: { code: "StageByHand", ...nameStage(proposed), changes, branch, path, why } };
}

/** A stage's effect on the present fleet, and its pull request's content. */
export interface StageProposal {
  readonly words: StageWords;
  readonly proposal: Proposal;
  readonly digest: string;
}

/** A stage's pull request for this snapshot's fleet. `recorded`: the digest in the ledger for its head. */
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
  return { words: describeStage({ snapshot, head, proposed, proposal, digest }), proposal, digest };
}
