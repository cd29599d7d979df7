import type { CampaignStatus } from "#libs/plan";

import type { NamespaceLine } from "./namespace-view.ts";

/** When an owner can expect the move. */
export type MoveOutlook =
  /** `moved`: it runs what main wants, and no stage changes that. */
  | { readonly kind: "moved" | "now" | "stopped" | "waiting" | "unplanned" }
  | {
      readonly kind: "stage";
      readonly campaign: string;
      readonly stage: string;
      /** The stage's percentage of the bucket. */
      readonly percent: number;
      /** ISO: when the stage's pull request opens, where that is known. */
      readonly opensAt?: string;
    };

const byState: ReadonlyMap<string, "now" | "stopped" | "waiting"> = new Map([
  ["Moving", "now"],
  ["Pending", "now"],
  ["Failed", "stopped"],
  ["Skipped", "stopped"],
  ["Waiting", "waiting"],
]);

/** The first coming stage with more than the percentage at which it moves. */
function findStage({ stages }: CampaignStatus, { bucket, movesAt }: NamespaceLine) {
  const percentOf = (set: Readonly<Record<string, number>>) => (Object.hasOwn(set, bucket) ? (set[bucket] ?? 0) : 0);
  return stages.find(({ reached, set }) => !reached && percentOf(set) > (movesAt ?? 100));
}

/** When a namespace moves, as far as the fleet's status says. Pure. */
export function judgeMove(line: NamespaceLine, campaigns: readonly CampaignStatus[]): MoveOutlook {
  const known = byState.get(line.state);
  if (known !== undefined) return { kind: known };
  if (line.to === undefined || line.requested === line.to) return { kind: "moved" };
  for (const campaign of campaigns.filter(({ target }) => target === line.to)) {
    const stage = findStage(campaign, line);
    if (stage === undefined) continue;
    const opens = campaign.next.find((event) => event.event === "PullRequestOpens" && event.stage === stage.name);
    return {
      kind: "stage",
      campaign: campaign.name,
      stage: stage.name,
      percent: stage.set[line.bucket] ?? 0,
      ...(opens?.at === undefined ? {} : { opensAt: opens.at }),
    };
  }
  return { kind: "unplanned" };
}
