import { type ApprovalsCheck, renderApprovalsCheck } from "./approvals.ts";
import { type PlanCheck, renderPlanCheck } from "./plan-check.ts";
import type { CheckVerdict } from "../pull-text.ts";

/** What the judging of a pull request found, as values. */
export interface PullRequestJudgement {
  readonly plan: PlanCheck;
  readonly approvals: ApprovalsCheck;
  /** Every bucket that changes is set back to what main had before: nothing holds it (rules 2.2). */
  readonly isRollback: boolean;
  /** The exact list of who moves, one workload a line, tab-separated (rules 10.2); empty when none does. */
  readonly list: string;
}

/** The same, with the words of its two checks. */
export interface PullRequestVerdict extends Pick<PullRequestJudgement, "isRollback" | "list"> {
  readonly plan: CheckVerdict;
  readonly approvals: CheckVerdict;
}

export function renderVerdict({ plan, approvals, isRollback, list }: PullRequestJudgement): PullRequestVerdict {
  return { plan: renderPlanCheck(plan), approvals: renderApprovalsCheck(approvals), isRollback, list };
}
