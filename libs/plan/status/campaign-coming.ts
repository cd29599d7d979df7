import { type Campaign, judgeCalendar, type Settings, type Stage } from "#libs/campaign";
import { coversOneOf, findShareCluster } from "#libs/input";
import type { Coming, MergeWay, ReasonCode } from "#libs/wording";

import { findClosed } from "../conditions/index.ts";
import { dropAbsent, parseTime, printTime, type RunRecord, type Snapshot, type Spec } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import { findLastDeadline } from "../workloads/index.ts";
import type { StopStatus } from "../stops/index.ts";
import type { RollbackStatus } from "./status-undo.ts";
import type { BakeStatus, CampaignStatus, PullStatus, WaitStatus } from "./campaign-status.ts";
import { needsPerson } from "./waits/needs-person.ts";

/** The facts about a campaign that decide what happens next without a person. */
export interface Outlook {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly campaign: Campaign;
  /** The newest open run; undefined between two stages. */
  readonly run: RunRecord | undefined;
  readonly stage: Stage | undefined;
  readonly next: Stage | undefined;
  readonly counts: CampaignStatus["counts"];
  readonly bake: BakeStatus | undefined;
  /** Groups of VMs that are on the move; `until`: when the last VM is due, epoch ms. */
  readonly vms?: { readonly groups: number; readonly until: number };
  /** A rollback in progress: it waits for no person, whatever stop holds forward moves. */
  readonly rollback: RollbackStatus | undefined;
  readonly pull: PullStatus | undefined;
  readonly waiting: readonly WaitStatus[];
  /** Holds and pauses that bind the campaign. */
  readonly stops: readonly StopStatus[];
}

type Closed = NonNullable<ReturnType<typeof findClosed>>;

/** Events later than this are left out. */
const horizonMs = 14 * 86_400_000;

/** Waits that the events name themselves, with the pull request. */
const proposed: readonly string[] = ["ApprovalNeeded", "MergeNeeded"] satisfies readonly ReasonCode[];

function isHeld(wait: WaitStatus): boolean {
  return needsPerson(wait) && !proposed.includes(wait.code);
}

/** Whether the run continues in some cluster: something rolls out, or a cluster waits for what ends by itself. */
function continuesElsewhere({ counts, waiting }: Outlook): boolean {
  const isOwn = (wait: WaitStatus): boolean =>
    findShareCluster(wait.scope) !== undefined && !isHeld(wait) && wait.code !== "WaveClosed";
  return counts.migrating > 0 || waiting.some(isOwn);
}

/** The first wait that only a person ends: without a time, and with a command. One of a single cluster does not hold the others. */
function findPerson(outlook: Outlook): WaitStatus | undefined {
  const isWhole = !continuesElsewhere(outlook);
  return outlook.waiting.find((wait) => isHeld(wait) && (isWhole || findShareCluster(wait.scope) === undefined));
}

/** The estimate is rounded up to this, so that it does not change at each reconcile. */
const grainMs = 5 * 60_000;

/** When the rest will have moved at the pace so far, epoch ms; undefined before a workload has migrated. */
function estimatePace({ snapshot: { now }, run, counts }: Outlook): number | undefined {
  const began = Math.min(...Object.values(run?.clusters ?? {}).map(({ openedAt }) => parseTime(openedAt)));
  const left = counts.migrating + counts.pending + counts.waiting;
  if (counts.migrated === 0 || !Number.isFinite(began) || now <= began) return undefined;
  return Math.ceil((now + ((now - began) / counts.migrated) * left) / grainMs) * grainMs;
}

/** The same, and not before the last VM of its groups is due: they have a pace of their own. */
function estimateEnd(outlook: Outlook): number | undefined {
  const { vms } = outlook;
  const ends = [estimatePace(outlook), vms === undefined ? undefined : Math.ceil(vms.until / grainMs) * grainMs];
  const known = ends.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** When the run's calendar closes, if that is before the estimated end. */
function listClosing({ snapshot: { now }, head, run }: Outlook, end: number | undefined): readonly Coming[] {
  const { windows, freezes } = settingsOf(head, run);
  const state = windows.length + freezes.length === 0 ? undefined : judgeCalendar({ windows, freezes }, now);
  if (state?.kind !== "open" || state.until === undefined || state.until >= (end ?? now + horizonMs)) return [];
  return [{ code: "CalendarCloses", at: printTime(state.until) }];
}

/** What is left continues when the window opens, or the freeze ends. */
function describeCalendarOpening(left: number, { cause, until }: Closed): Coming {
  const own = { code: "CalendarOpens", left, by: cause.kind } as const;
  return until === undefined ? { ...own, opens: false } : { ...own, opens: true, at: printTime(until) };
}

/** Owners' deploys, which need no window, and the deadline after which batches restart what is left. */
export function listDeployEvents(left: number, deadline: number, end?: number): readonly Coming[] {
  const pace = end === undefined || end > deadline ? {} : { at: printTime(end), isEstimate: true as const };
  return [
    { code: "Deploys", left, ...pace },
    { code: "DeadlineComes", at: printTime(deadline) },
  ];
}

function listBatchEvents(outlook: Outlook): readonly Coming[] {
  const { snapshot, head, run, counts } = outlook;
  const left = counts.pending + counts.migrating + counts.waiting;
  if (left === 0 || run === undefined) return [];
  const deadline = findLastDeadline({ head, now: snapshot.now }, run);
  if (deadline !== undefined) return listDeployEvents(left, deadline, estimateEnd(outlook));
  const closed = findClosed(head, run, snapshot.now);
  if (closed !== undefined) return [describeCalendarOpening(left, closed)];
  const end = estimateEnd(outlook);
  const pace = end === undefined ? {} : { at: printTime(end), isEstimate: true as const };
  const groups = outlook.vms === undefined ? {} : { groups: outlook.vms.groups };
  return [{ code: "Batches", left, ...groups, ...pace }, ...listClosing(outlook, end)];
}

function listBakeEvents({ bake }: Outlook): readonly Coming[] {
  if (bake === undefined || bake.healthySeconds >= bake.neededSeconds) return [];
  const { neededSeconds, healthySeconds, endsAt } = bake;
  return [
    endsAt === undefined
      ? { code: "HealthNeeded", seconds: neededSeconds - healthySeconds }
      : { code: "BakeEnds", at: endsAt },
  ];
}

/** How its pull request is merged: by a person, or automatically. */
function chooseMerge(settings: Settings): MergeWay {
  const { required, from } = settings.approvals;
  const notice = settings.autoMerge?.notice;
  if (notice !== undefined) return { kind: "itself", noticeSeconds: notice / 1000 };
  return { kind: "person", required, from };
}

/** A stage that is merged while its calendar is closed starts when it opens. */
function listStageStart({ name, settings }: Stage, at: number | undefined): readonly Coming[] {
  const state = at === undefined || settings.windows.length === 0 ? undefined : judgeCalendar(settings, at);
  if (state?.kind !== "closed" || state.until === undefined) return [];
  return [{ code: "StageStarts", at: printTime(state.until), stage: name, cause: state.cause }];
}

/** A hold under which the next stage is not proposed. */
function findHold({ stops, campaign, next }: Outlook): StopStatus | undefined {
  const names = { campaign: [campaign.name], bucket: Object.keys(next?.set ?? {}) };
  return stops.find(({ scope, foundIn }) => foundIn === undefined && coversOneOf(scope, names));
}

/** Its pull request is open: it waits, or is merged automatically. */
function describeMerge({ name, settings }: Stage, { number }: PullStatus): Coming {
  return { code: "PullRequestStays", stage: name, number, merge: chooseMerge(settings) };
}

/** Its pull request opens when the bake is over. */
function listPullRequestOpening(next: Stage, bake: BakeStatus | undefined): readonly Coming[] {
  const at = bake?.endsAt;
  const merge = chooseMerge(next.settings);
  const opening: Coming = {
    code: "PullRequestOpens",
    stage: next.name,
    merge,
    isNext: at === undefined,
    ...dropAbsent({ at }),
  };
  return [opening, ...listStageStart(next, at === undefined ? undefined : parseTime(at))];
}

function listProposalEvents(outlook: Outlook): readonly Coming[] {
  const { next, pull, bake, campaign } = outlook;
  if (next === undefined) return [{ code: "CampaignThrough", campaign: campaign.name }];
  if (pull?.stage === next.name && pull.state === "open") return [describeMerge(next, pull)];
  const hold = findHold(outlook);
  if (hold === undefined) return listPullRequestOpening(next, bake);
  return [{ code: "StageHeldBack", stage: next.name, who: hold.who, scope: hold.scope }];
}

/** The first freeze and the ends of exclusions within `horizonMs`. */
function listCalendarEvents({ snapshot: { now }, head, campaign, stage }: Outlook): readonly Coming[] {
  const freezes = [...(stage?.settings.freezes ?? []), ...head.settings.freezes];
  const first = freezes
    .filter(({ from }) => from > now && from < now + horizonMs)
    .toSorted((a, b) => a.from - b.from)[0];
  const ends = campaign.exclude.flatMap(({ pattern, until }) =>
    until !== undefined && until > now && until < now + horizonMs
      ? [{ code: "ExclusionEnds" as const, at: printTime(until), pattern }]
      : [],
  );
  if (first === undefined) return ends;
  return [{ code: "FreezeBegins", at: printTime(first.from), reason: first.reason }, ...ends];
}

/** What happens without a person, in this order. Never empty. */
export function listComing(outlook: Outlook): readonly Coming[] {
  const { run, stage, campaign, rollback } = outlook;
  if (stage === undefined && run === undefined) {
    return [{ code: "StagesThrough", campaign: campaign.name }];
  }
  if (rollback !== undefined)
    return [
      { code: "RollbackBatches", of: rollback.of, left: rollback.total - rollback.done },
      ...listCalendarEvents(outlook),
    ];
  const person = findPerson(outlook);
  if (person !== undefined) {
    const data = person.code === "GateNoData" ? { awaitsData: true as const } : {};
    return [{ code: "PersonNeeded", ...data }, ...listCalendarEvents(outlook)];
  }
  return [
    ...listBatchEvents(outlook),
    ...listBakeEvents(outlook),
    ...listProposalEvents(outlook),
    ...listCalendarEvents(outlook),
  ];
}

/** The settings that apply to the campaign now: those of its run's stage, else of the given stage. */
export function chooseSettings(head: Spec, run: RunRecord | undefined, stage: Stage | undefined): Settings {
  return run === undefined ? (stage?.settings ?? head.settings) : settingsOf(head, run);
}
