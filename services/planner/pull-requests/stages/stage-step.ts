import type { PullRequest } from "#libs/github";
import { nameOwners, type NextStage, type Reason, type StageVerdict } from "#libs/plan";

import { makeWait, type Wait } from "../../waits/waits.ts";

/** The next stage of one campaign on its way to main. */
export interface StageStep {
  readonly verdict: Exclude<StageVerdict, { readonly kind: "complete" }>;
  /** The branch that it is on: what the verdict says, or a later round where GitHub knows of more than the ledger. */
  readonly branch: string;
  /** The newest pull request of the branch. */
  readonly pull?: PullRequest;
  /** `rollouts.yml` as main shall have it, when it may be proposed. */
  readonly text?: string;
  /** A person committed to the branch, and it does something else now. */
  readonly takenBy?: string;
  readonly wait?: Wait;
}

/** Without an owner it is whoever owns the campaign. */
export type StageReason = Omit<Reason, "owner"> & { readonly owner?: string };

/** A wait of a campaign; its message continues `stage prod-25 of istio-1-25 `. */
export function waitForStage({ campaign, stage }: NextStage, reason: StageReason): Wait {
  const message = `stage ${stage.name} of ${campaign.name} ${reason.message}`;
  return makeWait(`campaign/${campaign.name}`, { ...reason, message, owner: reason.owner ?? nameOwners(campaign) });
}
