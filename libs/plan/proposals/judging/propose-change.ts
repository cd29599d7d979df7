import { findBelonging } from "../../transitions/index.ts";
import type { Snapshot } from "../../records/index.ts";
import { type Proposal, proposeMoves } from "../proposal.ts";
import type { FileChange } from "./judge-change.ts";

/** The effect of a merge on the present fleet, as the run that it would start. */
export function proposeChange({ before, after, buckets, isRollback }: FileChange, snapshot: Snapshot): Proposal {
  const { ledger, clusters, now } = snapshot;
  const belonging = ledger === undefined || isRollback ? {} : findBelonging(ledger, after, buckets);
  return proposeMoves(before, after, clusters.values(), now, belonging);
}
