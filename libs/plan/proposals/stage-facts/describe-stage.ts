import { findBucket, findWeight } from "#libs/rollouts";
import type { StageWords } from "#libs/wording";

import { dropAbsent, type Snapshot, type Spec } from "../../records/index.ts";
import type { Proposal } from "../proposal.ts";
import type { ProposedStage } from "../stages/verdict.ts";
import { estimateStage } from "./estimate.ts";
import { findEarlierTry, findEvidence } from "./evidence.ts";
import { describeOutlook } from "./outlook.ts";

/** The facts of a stage's pull request. */
interface StageParts {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly proposed: ProposedStage;
  /** The moves from head to `proposed.after`. */
  readonly proposal: Proposal;
  /** Digest of the exact list. */
  readonly digest: string;
}

function listPositions({ resolver }: Spec, { moves }: Proposal): ReadonlyMap<string, number> {
  return new Map(
    moves.flatMap(({ namespace }) => {
      const { position } = resolver.resolve(namespace);
      return position === undefined ? [] : [[namespace, position] as const];
    }),
  );
}

/** The content of a stage's pull request. */
export function describeStage({ snapshot, head, proposed, proposal, digest }: StageParts): StageWords {
  const { campaign, stage, changes, after } = proposed;
  const estimate = estimateStage(campaign, stage, proposal.clusters);
  return {
    steps: changes.map(({ pattern }) => ({
      bucket: pattern,
      from: findWeight(findBucket(head.rollouts, pattern), campaign.target),
      to: findWeight(findBucket(after.rollouts, pattern), campaign.target),
    })),
    proposal,
    positions: listPositions(after, proposal),
    estimate,
    digest,
    ...dropAbsent({
      evidence: findEvidence(snapshot.ledger, campaign),
      earlierTry: findEarlierTry(snapshot.ledger, campaign, stage.name),
    }),
    outlook: describeOutlook(proposed, proposal, estimate),
  };
}
