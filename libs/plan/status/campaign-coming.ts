import { type Campaign, judgeCalendar, type Settings, type Stage } from "#libs/campaign";
import { explainClosed, type ReasonCode } from "#libs/wording";

import { findClosed } from "../conditions/index.ts";
import { dropAbsent, parseTime, printTime, type RunRecord, type Snapshot, type Spec } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import type { StopStatus } from "../stops/index.ts";
import type { BakeStatus, CampaignStatus, ComingEvent, PullStatus, WaitStatus } from "./campaign-status.ts";

/** All that is known of a campaign for the question what comes by itself. */
export interface Outlook {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly campaign: Campaign;
  /** The run at work; absent between two stages. */
  readonly run: RunRecord | undefined;
  readonly stage: Stage | undefined;
  readonly next: Stage | undefined;
  readonly counts: CampaignStatus["counts"];
  readonly bake: BakeStatus | undefined;
  readonly pull: PullStatus | undefined;
  readonly waitingFor: readonly WaitStatus[];
  /** Holds and pauses that bind it. */
  readonly stops: readonly StopStatus[];
}

type Closed = NonNullable<ReturnType<typeof findClosed>>;

/** No one plans farther ahead by a status. */
const horizonMs = 14 * 86_400_000;

/** What comes next tells of these itself, with the pull request. */
const proposed: readonly string[] = ["ApprovalNeeded", "MergeNeeded"] satisfies readonly ReasonCode[];

/** Waits that end when a person does something; what we do ourselves, and what rolls, is no such thing. */
function findPerson(waits: readonly WaitStatus[]): WaitStatus | undefined {
  return waits.find(
    ({ code, until, command }) => until === undefined && command !== undefined && !proposed.includes(code),
  );
}

/** An estimate is no clock: people read five minutes. */
const grainMs = 5 * 60_000;

/** When the rest will have moved at the pace so far, epoch ms; undefined before anything arrived. */
function estimateEnd({ snapshot: { now }, run, counts }: Outlook): number | undefined {
  const began = Math.min(...Object.values(run?.clusters ?? {}).map(({ openedAt }) => parseTime(openedAt)));
  const left = counts.migrating + counts.pending + counts.waiting;
  if (counts.migrated === 0 || !Number.isFinite(began) || now <= began) return undefined;
  return Math.ceil((now + ((now - began) / counts.migrated) * left) / grainMs) * grainMs;
}

/** When the calendar of the run closes, if that is soon enough to be told. */
function comeClosing({ snapshot: { now }, head, run }: Outlook, end: number | undefined): readonly ComingEvent[] {
  const { windows, freezes } = settingsOf(head, run);
  const state = windows.length + freezes.length === 0 ? undefined : judgeCalendar({ windows, freezes }, now);
  if (state?.kind !== "open" || state.until === undefined || state.until >= (end ?? now + horizonMs)) return [];
  const at = printTime(state.until);
  return [{ event: "WindowCloses", at, text: `the calendar closes at ${at}: what is not through by then waits` }];
}

/** What is left goes on when the window opens, or the freeze ends. */
function comeOpen(left: number, { cause, until }: Closed): ComingEvent {
  const event = cause.kind === "freeze" ? "FreezeEnds" : "WindowOpens";
  if (until === undefined)
    return { event, text: `${left} workloads wait for the calendar: it does not open within a year` };
  const at = printTime(until);
  return { event, at, text: `${left} workloads go on at ${at}` };
}

function comeBatches(outlook: Outlook): readonly ComingEvent[] {
  const { snapshot, head, run, counts } = outlook;
  const left = counts.pending + counts.migrating + counts.waiting;
  if (left === 0 || run === undefined) return [];
  const closed = findClosed(head, run, snapshot.now);
  if (closed !== undefined) return [comeOpen(left, closed)];
  const end = estimateEnd(outlook);
  const at = end === undefined ? undefined : printTime(end);
  const pace = at === undefined ? "" : `, at this pace until about ${at}`;
  const text = `${left} workloads go on in batches${pace}`;
  return [{ event: "BatchesEnd", ...dropAbsent({ at }), text }, ...comeClosing(outlook, end)];
}

/** Seconds as people say them. */
function tellDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

function comeBake({ bake }: Outlook): readonly ComingEvent[] {
  if (bake === undefined || bake.healthySeconds >= bake.neededSeconds) return [];
  const left = tellDuration(bake.neededSeconds - bake.healthySeconds);
  if (bake.endsAt === undefined) return [{ event: "BakeEnds", text: `then ${left} of health are needed (the bake)` }];
  return [{ event: "BakeEnds", at: bake.endsAt, text: `the bake ends at ${bake.endsAt}` }];
}

/** How its pull request gets merged: by a person, or by itself. */
function tellMerge({ autoMerge, approvals }: Settings): string {
  if (autoMerge !== undefined) {
    return autoMerge.notice === 0
      ? "it merges itself once its checks are green"
      : `it merges itself ${tellDuration(autoMerge.notice / 1000)} after its checks are green`;
  }
  const whose = approvals.from.length === 0 ? "" : ` of ${approvals.from.join(" or ")}`;
  const needed = `${approvals.required} approval${approvals.required === 1 ? "" : "s"}${whose}`;
  return approvals.required === 0 ? "a person merges it" : `a person merges it, with ${needed}`;
}

/** A stage that is merged while its calendar is closed starts when it opens. */
function comeEarliest({ name, settings }: Stage, at: number | undefined): readonly ComingEvent[] {
  const state = at === undefined || settings.windows.length === 0 ? undefined : judgeCalendar(settings, at);
  if (state?.kind !== "closed" || state.until === undefined) return [];
  const time = printTime(state.until);
  return [
    {
      event: "WindowOpens",
      at: time,
      stage: name,
      text: `${name} cannot start before ${time}: ${explainClosed(state.cause)}`,
    },
  ];
}

/** Nothing is proposed under a hold, however long it bakes. */
function findHold({ stops, campaign, next }: Outlook): StopStatus | undefined {
  const buckets = Object.keys(next?.set ?? {}).map((pattern) => `bucket/${pattern}`);
  const scopes = new Set<string>(["all", `campaign/${campaign.name}`, ...buckets]);
  return stops.find(({ scope, foundIn }) => foundIn === undefined && scopes.has(scope));
}

/** Its pull request is open: it waits, or merges itself. */
function comeMerge({ name, settings }: Stage, { number }: PullStatus): ComingEvent {
  const event = settings.autoMerge === undefined ? "Nothing" : "PullRequestMerges";
  return { event, stage: name, text: `#${number} for ${name} stays open: ${tellMerge(settings)}` };
}

/** When the bake is over its pull request opens. */
function comeOpening(next: Stage, bake: BakeStatus | undefined): readonly ComingEvent[] {
  const at = bake?.endsAt;
  const when = at === undefined ? "then" : `at ${at}`;
  const text = `${when} the pull request for ${next.name} opens: ${tellMerge(next.settings)}`;
  const opening: ComingEvent = { event: "PullRequestOpens", stage: next.name, ...dropAbsent({ at }), text };
  return [opening, ...comeEarliest(next, at === undefined ? undefined : parseTime(at))];
}

function comeProposal(outlook: Outlook): readonly ComingEvent[] {
  const { next, pull, bake, campaign } = outlook;
  if (next === undefined) return [{ event: "Nothing", text: `then campaign ${campaign.name} is through` }];
  if (pull?.stage === next.name && pull.state === "open") return [comeMerge(next, pull)];
  const hold = findHold(outlook);
  if (hold === undefined) return comeOpening(next, bake);
  const text = `then nothing: ${next.name} is not proposed while the stop of ${hold.who} on ${hold.scope} is in force`;
  return [{ event: "Nothing", stage: next.name, text }];
}

/** The first freeze that begins soon, and exclusions that end soon. */
function comeCalendar({ snapshot: { now }, head, campaign, stage }: Outlook): readonly ComingEvent[] {
  const freezes = [...(stage?.settings.freezes ?? []), ...head.settings.freezes];
  const first = freezes
    .filter(({ from }) => from > now && from < now + horizonMs)
    .toSorted((a, b) => a.from - b.from)[0];
  const ends = campaign.exclude.flatMap(({ pattern, until }) =>
    until !== undefined && until > now && until < now + horizonMs
      ? [
          {
            event: "ExclusionEnds" as const,
            at: printTime(until),
            text: `${pattern} is left out until ${printTime(until)}`,
          },
        ]
      : [],
  );
  if (first === undefined) return ends;
  const at = printTime(first.from);
  return [{ event: "FreezeBegins", at, text: `freeze "${first.reason}" begins at ${at}` }, ...ends];
}

/** What happens if no one acts, in the order in which it comes. Never empty. */
export function listComing(outlook: Outlook): readonly ComingEvent[] {
  const { run, stage, campaign } = outlook;
  if (stage === undefined && run === undefined) {
    return [{ event: "Nothing", text: `nothing: every stage is through; meshroll finish ${campaign.name} ends it` }];
  }
  const person = findPerson(outlook.waitingFor);
  if (person !== undefined)
    return [{ event: "Nothing", text: "nothing until a person ends what it waits for" }, ...comeCalendar(outlook)];
  return [...comeBatches(outlook), ...comeBake(outlook), ...comeProposal(outlook), ...comeCalendar(outlook)];
}

/** What holds for the campaign at this moment: its run's stage, else the next one. */
export function chooseSettings(head: Spec, run: RunRecord | undefined, stage: Stage | undefined): Settings {
  return run === undefined ? (stage?.settings ?? head.settings) : settingsOf(head, run);
}
