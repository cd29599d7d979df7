import type { CampaignStatus, FleetStatus } from "#libs/plan";

import type { NamespaceLine } from "./namespace-view.ts";

type Stage = CampaignStatus["stages"][number];
type Coming = FleetStatus["next"][number];
type Exclusion = CampaignStatus["leftOut"][number];

type Judged = Pick<FleetStatus, "campaigns" | "next">;

/** `moved`: it runs what main requests, and no stage changes that. */
type MoveKind = "moved" | "now" | "failed" | "skipped" | "waiting" | "stage" | "leftOut" | "unplanned";

/** Times, ISO; absent = not known. */
interface MoveTimes {
  readonly notBefore?: string;
  /** At the present pace, or when the pull request is merged by itself. */
  readonly expected?: string;
  /** From then on batches restart what has not moved. */
  readonly latest?: string;
}

/** When an owner can expect the move. */
export interface MoveOutlook extends MoveTimes {
  readonly kind: MoveKind;
  /** The campaign that brings its bucket to another revision; absent = none. */
  readonly campaign?: CampaignStatus;
  /** The stage that gives it the target, to come or reached; absent = none does. */
  readonly stage?: Stage;
  /** The stages to come before it. */
  readonly before?: readonly Stage[];
  readonly leftOut?: Exclusion;
}

const byState: ReadonlyMap<string, MoveKind> = new Map([
  ["Moving", "now"],
  ["Pending", "now"],
  ["Failed", "failed"],
  ["Skipped", "skipped"],
  ["Waiting", "waiting"],
]);

/** The stage's share of a bucket, in percent; 0 where it says nothing of it. */
export function readShare({ set }: Pick<Stage, "set">, bucket: string): number {
  return Object.hasOwn(set, bucket) ? (set[bucket] ?? 0) : 0;
}

/** The campaign that brings its bucket to the revision that grows: a bucket belongs to one campaign. */
function findCampaign({ bucket, to }: NamespaceLine, campaigns: readonly CampaignStatus[]): CampaignStatus | undefined {
  return campaigns.find(
    ({ target, stages, leftOut }) =>
      target === to &&
      (stages.some(({ set }) => Object.hasOwn(set, bucket)) || leftOut.some(({ pattern }) => pattern === bucket)),
  );
}

/** The first stage with more than the percentage at which it moves. */
function findStage({ stages }: CampaignStatus, { bucket, movesAt }: NamespaceLine): Stage | undefined {
  return stages.find((stage) => readShare(stage, bucket) > (movesAt ?? 100));
}

function findTime(events: readonly Coming[], fits: (event: Coming) => boolean): string | undefined {
  return events.find((event) => event.at !== undefined && fits(event))?.at;
}

function dropUnknown(times: { readonly [K in keyof MoveTimes]: string | undefined }): MoveTimes {
  return Object.fromEntries(Object.entries(times).filter(([, at]) => at !== undefined));
}

/** Of a move that main requests: the pace and the deadline of the runs under way. */
function readRunTimes(events: readonly Coming[]): MoveTimes {
  return dropUnknown({
    notBefore: findTime(
      events,
      ({ event, stage }) => stage === undefined && (event === "WindowOpens" || event === "FreezeEnds"),
    ),
    expected: findTime(events, ({ isEstimate }) => isEstimate === true),
    latest: findTime(events, ({ event }) => event === "BatchesBegin"),
  });
}

/** Of a stage to come: its pull request, its window, and the notice after which it is merged by itself. */
function readStageTimes({ next, waiting }: CampaignStatus, { name, notBefore, state }: Stage): MoveTimes {
  const own = next.filter(({ stage }) => stage === name);
  const opens = findTime(own, ({ event }) => event === "WindowOpens" || event === "FreezeEnds");
  return dropUnknown({
    notBefore: opens ?? findTime(own, ({ event }) => event === "PullRequestOpens") ?? notBefore,
    expected: state === "Proposed" ? waiting.find(({ code }) => code === "MergeNotice")?.until : undefined,
    latest: undefined,
  });
}

function judgeComing(line: NamespaceLine, campaign: CampaignStatus): MoveOutlook {
  const leftOut = campaign.leftOut.find(({ pattern }) => pattern === line.bucket);
  if (leftOut !== undefined) return { kind: "leftOut", campaign, leftOut };
  const stage = findStage(campaign, line);
  if (stage === undefined || stage.reached) return { kind: "unplanned", campaign };
  const before = campaign.stages.filter(({ reached, index }) => !reached && index < stage.index);
  return { kind: "stage", campaign, stage, before, ...readStageTimes(campaign, stage) };
}

/** Main requests the move, or it is over. */
function judgeRequested(line: NamespaceLine, kind: MoveKind, fleet: Judged): MoveOutlook {
  const campaign = findCampaign(line, fleet.campaigns ?? []);
  const stage = campaign === undefined ? undefined : findStage(campaign, line);
  return {
    kind,
    ...(campaign === undefined ? {} : { campaign }),
    ...(stage === undefined || line.requested !== line.to ? {} : { stage }),
    ...(kind === "now" || kind === "waiting" ? readRunTimes(campaign?.next ?? fleet.next) : {}),
  };
}

/** When a namespace moves, as far as the fleet's status says. Pure. */
export function judgeMove(line: NamespaceLine, fleet: Judged): MoveOutlook {
  const known = byState.get(line.state);
  if (known !== undefined) return judgeRequested(line, known, fleet);
  if (line.to === undefined || line.requested === line.to) return judgeRequested(line, "moved", fleet);
  const campaign = findCampaign(line, fleet.campaigns ?? []);
  return campaign === undefined ? { kind: "unplanned" } : judgeComing(line, campaign);
}
