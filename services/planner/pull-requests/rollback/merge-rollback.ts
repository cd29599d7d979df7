import type { PullRequest } from "#libs/scm";
import { isRolledBack, rolloutsPath, type Snapshot } from "#libs/plan";

import type { Reason } from "#libs/wording";

import { nameRollback, type RollbackStep, waitForRollback } from "./follow-rollback.ts";
import { nameWhere, type ScmLink } from "../scm-link.ts";
import type { JudgedPull } from "../checks/judge-pulls.ts";
import { pickRefusal, type Refusals, tryMerge } from "../try-merge.ts";
import type { Wait } from "../../loop/make-wait.ts";

/** True when merging it does exactly what the rollback wants, by whichever author its commits are. */
async function leadsBack(link: ScmLink, snapshot: Snapshot, step: RollbackStep, judged: JudgedPull): Promise<boolean> {
  if (judged.changed.length !== 1 || judged.changed[0] !== rolloutsPath) return false;
  const text = await link.repository.readMerged(snapshot.main.head, judged.pull.headSha, rolloutsPath);
  return isRolledBack(step.buckets, text ?? "", step.oldText);
}

type RollbackName = ReturnType<typeof nameRollback> & ReturnType<typeof nameWhere>;

/** Merges past the merge queue, or at its front; undefined once it is merged. */
async function mergeNow(
  link: ScmLink,
  pull: PullRequest,
  own: RollbackName,
  refusals: Refusals,
  now: number,
): Promise<Reason | undefined> {
  const { number } = pull;
  const outcome = await tryMerge(link, pull, refusals, now, "urgent");
  if (outcome.kind === "merged") return undefined;
  if (outcome.kind === "queued") return { code: "RollbackPending", ...own, waitsFor: { kind: "queue", number } };
  const style = await link.scm.mergeStyle(link.base);
  return { code: "RollbackMergeRefused", ...own, number, ...pickRefusal(outcome), style };
}

/**
 * Merges a rollback's pull request once the SCM shows both checks green; it needs no approval (rules 2.2). Returns what it
 * waits for; undefined once it is merged.
 */
export async function mergeRollback(
  link: ScmLink,
  snapshot: Snapshot,
  step: RollbackStep,
  judged: JudgedPull,
  refusals: Refusals,
  now: number,
): Promise<Wait | undefined> {
  const { pull, verdict, isShown } = judged;
  const { number } = pull;
  const own = { ...nameRollback(step.asked), ...nameWhere(link) };
  if (!(await leadsBack(link, snapshot, step, judged)))
    return waitForRollback(step.asked, { code: "RollbackTaken", ...own, taken: { number } });
  if (!verdict.isRollback) return waitForRollback(step.asked, { code: "RollbackForward", ...own, number });
  const { plan, approvals } = verdict;
  if (isShown && plan.state === "success" && approvals.state !== "success")
    return waitForRollback(step.asked, { code: "RollbackApprovals", ...own, number, why: approvals.title });
  const isGreen = isShown && plan.state === "success" && approvals.state === "success";
  if (!isGreen)
    return waitForRollback(step.asked, { code: "RollbackPending", ...own, waitsFor: { kind: "checks", number } });
  const reason = await mergeNow(link, pull, own, refusals, now);
  return reason === undefined ? undefined : waitForRollback(step.asked, reason);
}
