import { findBelonging } from "../../transitions/index.ts";
import type { Snapshot } from "../../records/index.ts";
import { type Proposal, proposeMoves } from "../proposal.ts";
import type { FileChange } from "./judge-change.ts";

/** What the merge of a change would do to the fleet as it is now, as the run that it starts. */
export function proposeChange({ before, after, buckets, isRollback }: FileChange, snapshot: Snapshot): Proposal {
  const { ledger, clusters, now } = snapshot;
  const belonging = ledger === undefined || isRollback ? {} : findBelonging(ledger, after, buckets);
  return proposeMoves(before, after, clusters.values(), now, belonging);
}
