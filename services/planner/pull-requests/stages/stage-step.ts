import type { PullRequest } from "#libs/scm";
import type { NextStage, StageVerdict } from "#libs/plan";
import type { Reason } from "#libs/wording";

import type { BranchWish } from "../ensure-branch.ts";
import { makeWait, type Wait } from "../../loop/make-wait.ts";

/** How far the next stage of one campaign is. */
export interface StageStep {
  readonly verdict: Exclude<StageVerdict, { readonly kind: "complete" }>;
  /** Its branch: the verdict's, or that of a later round if the SCM knows of more rounds than the ledger. */
  readonly branch: string;
  /** The newest pull request of the branch. */
  readonly pull?: PullRequest;
  /** What its branch must contain; absent if that cannot be made. */
  readonly wish?: BranchWish;
  /** The person whose commit made the branch do something else. */
  readonly takenBy?: string;
  readonly wait?: Wait;
}

/** A wait with the campaign's scope. */
export function waitForStage({ campaign }: Pick<NextStage, "campaign">, reason: Reason): Wait {
  return makeWait(`campaign/${campaign.name}`, reason);
}
