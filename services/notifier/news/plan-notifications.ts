import { findNamed } from "#libs/input";
import type { Event } from "#libs/events";

import { planNews } from "./plan-news.ts";
import { renderLate, renderLateLine } from "../render/slack/late.ts";
import { nameSlot } from "../facts/group.ts";
import type { Present, Notification } from "../facts/notifications.ts";

/** One line in the run's thread for each late event, in one message a day. */
function digest(run: string, event: Event): readonly Notification[] {
  const line = renderLateLine(event);
  if (line === undefined) return [];
  const dayMs = 24 * 3_600_000;
  const grown = { id: event.id, line, render: renderLate, unlessOpen: false, broadcast: undefined };
  return [{ kind: "add", place: { run }, family: "late/", key: `late/${nameSlot(event.at, dayMs)}`, ...grown }];
}

function readRun(event: Event, present: Present): string | undefined {
  if (event.type === "stop.v1.placed") return findNamed("run", event.data.scope);
  if (event.type === "stop.v1.resumed") {
    return findNamed("run", event.data.scopes?.[0] ?? present.scopeOf(event.data.stops[0] ?? ""));
  }
  const { data } = event;
  return "run" in data && data.run !== "" ? data.run : undefined;
}

/** A late message about no run is posted only if it is still true. */
function isStillSo(event: Event, present: Present): boolean {
  const isStop = event.type === "stop.v1.placed" || event.type === "stop.v1.overdue";
  if (isStop) return present.isStopped(event.data.stop);
  const isStage = event.type === "stage.v1.proposed" || event.type === "stage.v1.autoMerge";
  if (isStage) return present.isProposed(event.data.pull);
  // Rare, so it is posted however late.
  if (event.type === "campaign.v1.completed") return true;
  if (event.type === "wait.v1.began") return present.isWaiting(event.data.scope, event.data.code);
  return event.type === "cluster.v1.unreachable" && present.isAway(event.data.cluster);
}

/** For messages that are too late to be news: an open run gets one line for each, an ended one nothing. */
function planLate(event: Event, present: Present): readonly Notification[] {
  if (event.type === "run.v1.done") return [{ kind: "finalRoot", run: event.data.run }];
  // A message that was posted in time is completed; nothing new is posted.
  if (event.type === "wait.v1.ended" || event.type === "cluster.v1.seen") return planNews(event, present);
  if (isStillSo(event, present)) return planNews(event, present);
  const run = readRun(event, present);
  if (run === undefined || present.isOpen(run) === false) return [];
  const isBeginning = event.type === "run.v1.started" || event.type === "batch.v1.handedOut";
  return isBeginning ? [{ kind: "root", run }] : digest(run, event);
}

/** The notifications for a message. Pure, so a repeated message gives the same ones. */
export function planNotifications(event: Event, isLate: boolean, present: Present): readonly Notification[] {
  return isLate ? planLate(event, present) : planNews(event, present);
}
