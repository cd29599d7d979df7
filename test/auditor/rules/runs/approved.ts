import type { AuditedCommit, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { settingsAt } from "../../reading/main/heads.ts";
import { isOwnLogin } from "../../reading/main/own-login.ts";
import { listMoves } from "../../reading/writes/moves.ts";
import { makeRule } from "../rule.ts";

/** Commits of main that moved something forward, each with its run. */
function listForward(evidence: Evidence): ReadonlyMap<AuditedCommit, AuditedRun | undefined> {
  const forward = listMoves(evidence).filter(({ way, runId }) => way === "forward" && runId !== "");
  const found = new Map<AuditedCommit, AuditedRun | undefined>();
  for (const { runId, run } of forward) {
    const commit = evidence.main.find(({ sha }) => sha.startsWith(runId));
    if (commit !== undefined) found.set(commit, run);
  }
  return found;
}

/** Counts approvals by other people than the one who pushed the head, at the time of the merge. */
function countApprovals({ approvals = [], pushes }: Evidence, { merged, at, atLatest = at }: AuditedCommit): number {
  const pushedBy = pushes.findLast(({ after }) => after === merged)?.by;
  const given = approvals.filter((each) => each.head === merged && each.at <= atLatest && each.by !== pushedBy);
  return new Set(given.map(({ by }) => by)).size;
}

/**
 * What a commit moves forward was approved as main required before the merge. Meshroll merges by itself only stages that say
 * so, and rollbacks.
 */
export const approved = makeRule("approved", (evidence, found) => {
  for (const [commit, run] of listForward(evidence)) {
    const before = settingsAt(evidence, commit.at - 1, run);
    const what = `commit ${commit.sha.slice(0, 12)}`;
    const mergesItself = isOwnLogin(commit.by) && before.some(({ noticeMs }) => noticeMs !== undefined);
    const asked = Math.min(...before.map(({ approvals }) => approvals));
    if (mergesItself || commit.at === 0 || asked === 0) continue;
    if (isOwnLogin(commit.by)) {
      found.judge();
      found.refuse("", what, "meshroll merged it by itself, and it moved workloads forward");
    } else if (commit.merged === undefined || evidence.approvals === undefined)
      found.cannotJudge("main was pushed to, or the evidence has no approvals: what moved forward may have had none");
    else {
      found.judge();
      const given = countApprovals(evidence, commit);
      if (given < asked) found.refuse("", what, `moved workloads forward with ${given} of ${asked} approvals`);
    }
  }
});
