import { findBucket, findWeight } from "#libs/rollouts";
import type { MovesWords } from "#libs/wording";

import { willRestart } from "../count-listed.ts";
import type { Proposal } from "../proposal.ts";
import type { FileChange } from "./judge-change.ts";

/**
 * The exact list of restarts: namespace, bucket, from, to, cluster, workload; sorted, tab-separated, with a line end each
 * (rules 10.2). Migrated and skipped workloads are not on it.
 */
export function printMoveList({ moves }: Proposal): string {
  const lines = moves.flatMap(({ namespace, bucket, from, to, workloads }) =>
    workloads
      .filter(willRestart)
      .map(({ cluster, workload }) => [namespace, bucket, from, to, cluster, workload].join("\t")),
  );
  return lines
    .toSorted()
    .map((line) => `${line}\n`)
    .join("");
}

/** The effect of a pull request on the fleet, with the file's shares before and after. */
export function describeMoves(proposal: Proposal, { buckets, before, after }: FileChange, digest: string): MovesWords {
  const changed = new Set(buckets.map(({ pattern }) => pattern));
  const shown = proposal.buckets.filter(({ bucket, moves }) => moves > 0 || changed.has(bucket));
  const requestOf = (bucket: string, revision: string) => {
    return {
      before: findWeight(findBucket(before.rollouts, bucket), revision),
      after: findWeight(findBucket(after.rollouts, bucket), revision),
    };
  };
  return {
    proposal,
    buckets: shown.map((each) => ({
      ...each,
      revisions: each.revisions.map((count) => ({ ...count, requested: requestOf(each.bucket, count.revision) })),
    })),
    digest,
  };
}
