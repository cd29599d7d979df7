import type { CampaignStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { findEnd, groupWaits } from "../group-waits.ts";

type Event = CampaignStatus["next"][number];
type Wait = CampaignStatus["waiting"][number];

/** One thing that comes by itself, or that a wait names. */
export interface ComingLine {
  /** ISO; absent = no time is known. */
  readonly at?: string;
  /** `at` is a guess by the pace so far. */
  readonly isEstimate: boolean;
  readonly text: string;
  readonly command?: string;
}

/** They come whatever the stages do. */
const ofCalendar: ReadonlySet<Event["event"]> = new Set(["WindowCloses", "FreezeBegins", "ExclusionEnds"]);
/** Waits whose end is an event of its own. */
const asEvents: ReadonlySet<string> = new Set(["Baking", "WindowClosed", "Frozen"]);

function fromEvent({ at, isEstimate, text, command }: Event): ComingLine {
  return {
    ...(at === undefined ? {} : { at }),
    isEstimate: isEstimate === true,
    // The screen says in which order they come.
    text: printText(text).replace(/^then /, ""),
    ...(command === undefined ? {} : { command }),
  };
}

/** What comes next, one after the other. Pure. */
export function listSequence({ next }: Pick<CampaignStatus, "next">): readonly ComingLine[] {
  return next.filter(({ event }) => !ofCalendar.has(event)).map(fromEvent);
}

function listWaitTimes(waiting: readonly Wait[], known: ReadonlySet<string>): readonly ComingLine[] {
  return groupWaits(waiting).flatMap(({ wait }) => {
    const at = findEnd(wait);
    if (at === undefined || asEvents.has(wait.code) || known.has(at)) return [];
    return [{ at, isEstimate: false, text: printText(wait.message) }];
  });
}

/** Other times that are known: of the calendar, and at which waits end; the first one first. Pure. */
export function listTimes({
  next,
  calendar,
  waiting,
}: Pick<CampaignStatus, "next" | "calendar" | "waiting">): readonly ComingLine[] {
  const known = new Set(next.flatMap(({ at }) => at ?? []));
  const changes = calendar?.changes;
  const isTold = next.some(({ event, at }) => event === changes?.event && at === changes.at);
  const events = next.filter(({ event }) => ofCalendar.has(event));
  const lines = [
    ...(changes === undefined || isTold ? [] : [changes]).map(fromEvent),
    ...events.map(fromEvent),
    ...listWaitTimes(waiting, known),
  ];
  return lines.toSorted((a, b) => ((a.at ?? "") < (b.at ?? "") ? -1 : 1));
}
