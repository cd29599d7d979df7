import type { FleetStatus } from "#libs/plan";

/** A pull request whose branch says what would be merged. */
export interface WaitingPull {
  readonly number: number;
  readonly url: string;
  readonly branch: string;
  /** `stage prod-25 of istio-1-25`, where it is one of ours. */
  readonly stage?: string;
}

/** The open pull requests of campaigns, as the planner says. */
export function listWaiting({ campaigns = [] }: Pick<FleetStatus, "campaigns">): readonly WaitingPull[] {
  return campaigns.flatMap(({ name, pull }) => {
    if (pull?.state !== "open") return [];
    const { number, url, branch, stage } = pull;
    return [{ number, url, branch, stage: `stage ${stage} of ${name}` }];
  });
}
