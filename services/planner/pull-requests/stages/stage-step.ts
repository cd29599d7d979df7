import type { PullRequest } from "#libs/scm";
import type { NextStage, StageVerdict } from "#libs/plan";
import type { Reason } from "#libs/wording";

import type { BranchWish } from "../ensure-branch.ts";
import { makeWait, type Wait } from "../../loop/make-wait.ts";

/** The next stage of one campaign on its way to main. */
export interface StageStep {
  readonly verdict: Exclude<StageVerdict, { readonly kind: "complete" }>;
  /** The branch that it is on: what the verdict says, or a later round where GitHub knows of more than the ledger. */
  readonly branch: string;
  /** The newest pull request of the branch. */
  readonly pull?: PullRequest;
  /** What its branch must be, when it may be proposed. */
  readonly wish?: BranchWish;
  /** A person committed to the branch, and it does something else now. */
  readonly takenBy?: string;
  readonly wait?: Wait;
}

/** A wait of a campaign. */
export function waitForStage({ campaign }: Pick<NextStage, "campaign">, reason: Reason): Wait {
  return makeWait(`campaign/${campaign.name}`, reason);
}
