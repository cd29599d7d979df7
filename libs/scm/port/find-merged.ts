import type { MergeOutcome, PullRequest } from "./port.ts";

/** The outcome of a merge that is already done at this head; undefined: it is not. */
export function findMerged(pull: PullRequest, head: string): MergeOutcome | undefined {
  if (pull.state !== "merged" || pull.headSha !== head || pull.mergeSha === undefined) return undefined;
  return { kind: "merged", sha: pull.mergeSha };
}
