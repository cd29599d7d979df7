import type { OutgrownApproval } from "#libs/wording";

import { describeChange, type FileChange } from "../judging/judge-change.ts";
import { proposeChange } from "../judging/propose-change.ts";
import type { EarlierMerge, PullRequestQuestion } from "../judging/pull-request-facts.ts";
import { willRestart } from "../count-listed.ts";
import type { Proposal } from "../proposal.ts";

/** How many of the present moves were on the approved list, by the time of the approval. */
export type Outgrown = ReadonlyMap<number, Pick<OutgrownApproval, "listed" | "moved">>;

/**
 * The workloads that move, with their targets. The bucket, and the revision that they leave, make no difference to the restart.
 */
function listMoved({ moves }: Proposal): ReadonlySet<string> {
  const keys = moves.flatMap(({ to, workloads }) =>
    workloads.filter(willRestart).map(({ cluster, workload }) => `${cluster} ${workload} ${to}`),
  );
  return new Set(keys);
}

/** The moves of the earlier merge, by the present fleet; empty where its effect is unknown. */
function listMovedThen(question: PullRequestQuestion, { main, merged }: EarlierMerge): ReadonlySet<string> {
  const change = main.ok && merged.kind === "files" ? describeChange(merged, main.spec, question.snapshot) : undefined;
  return change === undefined ? new Set() : listMoved(proposeChange(change, question.snapshot));
}

/**
 * Approvals of a shorter list: main changed since, and the merge now moves more workloads. Both lists are made for the present
 * fleet, because otherwise a growing fleet would invalidate every approval.
 */
export function findOutgrown(question: PullRequestQuestion, change: FileChange, proposal: Proposal): Outgrown {
  const outgrown = new Map<number, Pick<OutgrownApproval, "listed" | "moved">>();
  const now = listMoved(proposal);
  if (change.isNothing || now.size === 0) return outgrown;
  for (const earlier of question.earlier ?? []) {
    const then = listMovedThen(question, earlier);
    const listed = [...now].filter((key) => then.has(key)).length;
    if (listed === now.size) continue;
    for (const at of earlier.approvedAt) outgrown.set(at, { listed, moved: now.size });
  }
  return outgrown;
}
