import { findNamed } from "#libs/input";
import type { Event, EventData } from "#libs/events";

import { type Group, nameSlot } from "../facts/group.ts";
import { renderClusterLine, renderClusters, renderWaves } from "../render/slack/clusters.ts";
import { nameFailure, renderFailureLine, renderFailures } from "../render/slack/failures.ts";
import { quoteMrkdwn } from "../render/mrkdwn.ts";
import { planBake, planCompleted, planGate, planMerging, planProposed, planWaveEnd } from "./plan-campaign-news.ts";
import { renderRunDone } from "../render/slack/run-done.ts";
import { renderStopResumed, renderStopOverdue, renderStopPlaced } from "../render/slack/stops.ts";
import { renderReverted, renderRevertedLine } from "../render/slack/reverted.ts";
import { renderOver, renderWaitLine, renderWaits } from "../render/slack/waits.ts";
import type { Place, Present, Notification } from "../facts/notifications.ts";

type OfType<T extends Event["type"]> = Extract<Event, { readonly type: T }>;

function placeOf(run: string | undefined): Place {
  return run === undefined ? "channel" : { run };
}

function planFailed(event: OfType<"workload.v1.failed">, { page }: Present): readonly Notification[] {
  const { data } = event;
  const family = `failed/${nameFailure(data)}/`;
  return [
    {
      kind: "add",
      place: { run: data.run },
      family,
      key: `${family}${nameSlot(event.at)}`,
      id: event.id,
      line: renderFailureLine(data, page),
      render: (group) => renderFailures(data, group),
      unlessOpen: false,
      broadcast: "failed",
    },
  ];
}

function planOverwritten(event: Extract<Event, { readonly type: "workload.v1.reverted" }>): readonly Notification[] {
  const { data } = event;
  const line = renderRevertedLine(data);
  const grown = { id: event.id, line, render: renderReverted, unlessOpen: false, broadcast: undefined };
  const key = `takenBack/${nameSlot(event.at)}`;
  return [{ kind: "add", place: placeOf(data.run === "" ? undefined : data.run), family: "takenBack/", key, ...grown }];
}

function planPlaced(data: EventData<"stopPlaced">, present: Present): readonly Notification[] {
  const run = findNamed("run", data.scope);
  if (run === undefined) return [{ kind: "stop", data }];
  // The channel has already been shown the failure that caused it.
  const broadcast = data.cause === "failures" || data.cause === "gate" ? undefined : "paused";
  const content = renderStopPlaced(data, present.isRollingBack(data.scope));
  return [{ kind: "message", place: { run }, key: `stop/${data.stop}`, content, broadcast }];
}

function planOverdue(data: EventData<"stopOverdue">): readonly Notification[] {
  const content = renderStopOverdue(data);
  const run = findNamed("run", data.scope);
  if (run === undefined) return [{ kind: "overdue", stop: data.stop, content }];
  return [{ kind: "message", place: { run }, key: `overdue/${data.stop}`, content, broadcast: "paused" }];
}

/** A resume may end stops of several runs and scopes: each thread gets one message. */
function planResumed(id: string, data: EventData<"stopResumed">, present: Present): readonly Notification[] {
  const content = renderStopResumed(data);
  const notifications = data.stops.map((stop, index): Notification => {
    const run = findNamed("run", data.scopes?.[index] ?? present.scopeOf(stop));
    if (run === undefined) return { kind: "resume", stop, data, content };
    return { kind: "message", place: { run }, key: `resume/${id}`, content, broadcast: undefined };
  });
  const seen = new Set<string>();
  return notifications.filter((each) => {
    const name =
      each.kind === "message" ? JSON.stringify(each.place) : JSON.stringify(each.kind === "resume" ? each.stop : "");
    return !seen.has(name) && seen.add(name);
  });
}

/** A campaign's wait is posted with the campaign's other messages. */
function placeOfWait({ run, scope }: Pick<EventData<"waitBegan">, "run" | "scope">): Place {
  const campaign = findNamed("campaign", scope);
  return run === undefined && campaign !== undefined ? { campaign } : placeOf(run);
}

function planWait(data: EventData<"waitBegan">): readonly Notification[] {
  const family = `wait/${data.code}/`;
  const broadcast = data.code === "MergeNeeded" ? "approvalNeeded" : "paused";
  const grown = { id: `${data.scope} ${data.code}`, line: renderWaitLine(data), broadcast, unlessOpen: true } as const;
  const render = (group: Group) => renderWaits(data.code, group);
  return [{ kind: "add", place: placeOfWait(data), family, key: `${family}${nameSlot(data.since)}`, render, ...grown }];
}

function planWaitEnded(data: EventData<"waitEnded">, at: string): readonly Notification[] {
  const render = (group: Group) => renderWaits(data.code, group);
  const ended = { id: `${data.scope} ${data.code}`, over: renderOver(data.since, at), render };
  return [{ kind: "end", place: placeOfWait(data), family: `wait/${data.code}/`, ...ended }];
}

function listPlaces(runs: readonly string[]): readonly Place[] {
  return runs.length === 0 ? ["channel"] : runs.map((run) => ({ run }));
}

function planAway(data: EventData<"clusterUnreachable">): readonly Notification[] {
  const key = `cluster/${nameSlot(data.since)}`;
  const grown = { id: data.cluster, line: renderClusterLine(data), unlessOpen: true, broadcast: "paused" } as const;
  return listPlaces(data.runs).map((place) => {
    return { kind: "add", place, family: "cluster/", key, render: renderClusters, ...grown };
  });
}

/** A run that a retry reopened ends more than once; each end is posted. */
function planDone({ data, id, at }: OfType<"run.v1.done">, { page }: Present): readonly Notification[] {
  const { run } = data;
  const content = renderRunDone(data, at, page);
  const reply: Notification = { kind: "message", place: { run }, key: `done/${id}`, content, broadcast: "completed" };
  return [reply, { kind: "finalRoot", run }];
}

/** A run may have begun or ended meanwhile; all messages that reported the absence are completed. */
function planSeen(data: EventData<"clusterSeen">, at: string): readonly Notification[] {
  const ended = { id: data.cluster, over: renderOver(data.since, at), render: renderClusters };
  const places: readonly Place[] = [...data.runs.map((run) => ({ run })), "channel"];
  return places.map((place) => ({ kind: "end", place, family: "cluster/", ...ended }));
}

function planWave({ run, cluster }: EventData<"runWaveOpened">, at: string): readonly Notification[] {
  const grown = { id: cluster, line: quoteMrkdwn(cluster, 60), unlessOpen: false, broadcast: undefined };
  return [{ kind: "add", place: { run }, family: "wave/", key: `wave/${nameSlot(at)}`, render: renderWaves, ...grown }];
}

type Planners = { readonly [T in Event["type"]]: (event: OfType<T>, present: Present) => readonly Notification[] };

const nothing = (): readonly Notification[] => [];

/** One function for each type of message, so that a new type does not compile without one. */
const planners: Planners = {
  "run.v1.started": ({ data }) => [{ kind: "root", run: data.run }],
  "run.v1.waveOpened": ({ data, at }) => planWave(data, at),
  "run.v1.waveClosed": planWaveEnd,
  "run.v1.bake": planBake,
  "gate.v1.judged": planGate,
  "stage.v1.proposed": planProposed,
  "stage.v1.autoMerge": planMerging,
  "campaign.v1.completed": planCompleted,
  "run.v1.done": planDone,
  "batch.v1.handedOut": ({ data }) => [{ kind: "root", run: data.run }],
  "batch.v1.ended": nothing,
  // Single moves and arrivals are not posted: the run's message counts them.
  "workload.v1.moved": nothing,
  "workload.v1.migrated": nothing,
  "workload.v1.failed": planFailed,
  "workload.v1.reverted": planOverwritten,
  "stop.v1.placed": ({ data }, present) => planPlaced(data, present),
  "stop.v1.overdue": ({ data }) => planOverdue(data),
  "stop.v1.resumed": ({ data, id }, present) => planResumed(id, data, present),
  "wait.v1.began": ({ data }) => planWait(data),
  "wait.v1.ended": ({ data, at }) => planWaitEnded(data, at),
  "cluster.v1.unreachable": ({ data }) => planAway(data),
  "cluster.v1.seen": ({ data, at }) => planSeen(data, at),
  "hint.v1.github": nothing,
};

/** The notifications for a message that is news. */
export function planNews<T extends Event["type"]>(
  event: OfType<T> & { readonly type: T },
  present: Present,
): readonly Notification[] {
  return planners[event.type](event, present);
}
