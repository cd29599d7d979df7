import { type ApprovalsCheck, renderApprovalsCheck } from "./approvals.ts";
import { type PlanCheck, renderPlanCheck } from "./plan-check.ts";
import type { CheckVerdict } from "../pull-text.ts";

/** The judgement of a pull request, as values. */
export interface PullRequestJudgement {
  readonly plan: PlanCheck;
  readonly approvals: ApprovalsCheck;
  /** Every changed bucket is set back to what main had before, so no stop holds it (rules 2.2). */
  readonly isRollback: boolean;
  /** The exact list of moves, one workload per line, tab-separated (rules 10.2); empty when nothing moves. */
  readonly list: string;
}

/** The judgement with the texts of its two checks. */
export interface PullRequestVerdict extends Pick<PullRequestJudgement, "isRollback" | "list"> {
  readonly plan: CheckVerdict;
  readonly approvals: CheckVerdict;
}

export function renderVerdict({ plan, approvals, isRollback, list }: PullRequestJudgement): PullRequestVerdict {
  return { plan: renderPlanCheck(plan), approvals: renderApprovalsCheck(approvals), isRollback, list };
}
