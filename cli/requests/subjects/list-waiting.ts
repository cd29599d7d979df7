import type { FleetStatus } from "#libs/plan";

/** An open pull request, by its branch. */
export interface WaitingPull {
  readonly number: number;
  readonly url: string;
  readonly branch: string;
  /** `stage prod-25 of istio-1-25`, for one of meshroll's. */
  readonly stage?: string;
}

/** The open pull requests of campaigns in the planner's status. */
export function listWaiting({ campaigns = [] }: Pick<FleetStatus, "campaigns">): readonly WaitingPull[] {
  return campaigns.flatMap(({ name, pull }) => {
    if (pull?.state !== "open") return [];
    const { number, url, branch, stage } = pull;
    return [{ number, url, branch, stage: `stage ${stage} of ${name}` }];
  });
}
