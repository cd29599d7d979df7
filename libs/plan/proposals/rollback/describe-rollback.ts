import type { RollbackWords } from "#libs/wording";

import type { Spec } from "../../records/index.ts";
import type { Proposal } from "../proposal.ts";
import type { RequestedRollback } from "./propose-rollback.ts";

function findShares({ rollouts }: Spec, pattern: string) {
  return rollouts.buckets.find((bucket) => bucket.pattern === pattern)?.shares;
}

/** The content of a rollback's pull request; `proposal` counts its moves. */
export function describeRollback(
  { stop, run, to }: RequestedRollback,
  buckets: readonly string[],
  now: Spec,
  then: Spec,
  proposal: Proposal,
): RollbackWords {
  return {
    run,
    to,
    stop,
    buckets: buckets.map((pattern) => ({ pattern, now: findShares(now, pattern), old: findShares(then, pattern) })),
    namespaces: proposal.namespaces,
    moves: proposal.moves.length,
    workloads: proposal.clusters.reduce((sum, each) => sum + each.workloads, 0),
  };
}
