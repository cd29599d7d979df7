import { Cron, CronPattern } from "croner";

import type { Window } from "./calendar.ts";
import { openInstants } from "./local-time.ts";

/** Epoch ms, `to` exclusive. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * The times at which a window is open between two instants (in whole days), in order and without overlap; those at the edges
 * may extend beyond. Start and end are wall-clock times of the zone: a window from 22:00 for 8 hours ends at 06:00 also on the
 * night of a time change.
 */
export function expandWindow(window: Window, from: number, to: number): readonly Interval[] {
  const { schedule, duration, timeZone, kind } = window;
  const begin = from - Math.ceil(duration / dayMs) * dayMs - 2 * dayMs;
  const toInstant = openInstants(timeZone, begin, to + 2 * dayMs);
  // Where the wall clock shows the end twice the stricter one counts: allowed time ends at the first, denied time at the
  // last.
  const whenTwice = kind === "allow" ? "first" : "last";
  return mergeStarts(listStarts(schedule, begin, to + dayMs), duration)
    .map((local) => ({ from: toInstant(local.from, "first"), to: toInstant(local.to, whenTwice) }))
    .filter((interval) => interval.to > interval.from && interval.to > from && interval.from < to);
}

/**
 * Starts of the schedule on a clock without a zone, as that clock's ms. The library is asked for days only, because each
 * question costs and an hourly schedule has 24 starts a day.
 */
function* listStarts(schedule: string, first: number, last: number): Generator<number> {
  const [minute = "0", , ...days] = schedule.split(" ");
  const { hour: hours } = new CronPattern(schedule, undefined, { mode: "5-part" });
  const cron = new Cron(`0 0 ${days.join(" ")}`, { mode: "5-part", utcOffset: 0, paused: true });
  // oxlint-disable-next-line no-restricted-globals -- a given time, not the present one
  let day = cron.nextRun(new Date(first - 1000));
  while (day !== null && day.getTime() < last) {
    for (const [hour, isSet] of hours.entries()) {
      if (isSet === 1) yield day.getTime() + hour * hourMs + Number(minute) * 60_000;
    }
    day = cron.nextRun(day);
  }
}

/** Merged before they become instants: consecutive hourly starts are one interval, and cost one conversion. */
function mergeStarts(starts: Iterable<number>, duration: number): readonly Interval[] {
  const merged: Interval[] = [];
  for (const from of starts) {
    const before = merged.at(-1);
    if (before !== undefined && from <= before.to)
      merged[merged.length - 1] = { from: before.from, to: from + duration };
    else merged.push({ from, to: from + duration });
  }
  return merged;
}
