import { type Bus, BusUnavailable } from "#libs/bus";
import { type Event, identifyEvent, isOfItsSubject, readEvent } from "#libs/events";
import type { Logger } from "#libs/runtime";

import { readRun, type RunStore } from "./run-store.ts";

/** A day of one run at least: a batch is three of them. */
const mostMessages = 1_000;
/** After so many failures people are notified without it: a deployment may then lack failures until its end. */
const mostTries = 10;

/** Without what ended already: that stands where people read it, and is not edited again. */
function listOpen(events: readonly Event[]): readonly Event[] {
  const ends = new Map(events.map((event, index) => [event.type === "run.v1.done" ? event.data.run : "", index]));
  return events.filter((event, index) => index > (ends.get(readRun(event) ?? "?") ?? -1));
}

/** What the stream kept when it was asked, oldest first. */
async function readKept(bus: Pick<Bus, "recent">): Promise<readonly Event[]> {
  const recent = await bus.recent(mostMessages);
  return recent.flatMap(({ subject, body }) => (isOfItsSubject(subject, body) ? (readEvent(body) ?? []) : []));
}

/** Takes a message into the run store; the first time, and in their order, those too that the stream has kept from before it. */
export type NoteInOrder = (event: Event) => Promise<void>;

/**
 * A notifier that has just started knows by this of open runs what the one before it knew. Rejects with `BusUnavailable`, without
 * noting the message, while the stream cannot be read; a few times, and then goes on without.
 */
export function createRecall(bus: Pick<Bus, "recent">, runs: RunStore, log: Pick<Logger, "warn">): NoteInOrder {
  let kept: Promise<readonly Event[]> | undefined;
  let noted = 0;
  let tries = 0;

  async function read(): Promise<readonly Event[]> {
    tries += 1;
    try {
      return await readKept(bus);
    } catch (error) {
      if (error instanceof BusUnavailable && tries < mostTries) {
        kept = undefined;
        throw error;
      }
      log.warn(
        { error },
        "what open runs did cannot be read back: their deployments may lack failures until their end",
      );
      return [];
    }
  }

  return async (event) => {
    kept ??= read();
    const events = await kept;
    const wanted = identifyEvent(event);
    const found = events.findIndex((each) => identifyEvent(each) === wanted);
    const until = found === -1 ? events.length : found;
    for (const each of listOpen(events.slice(noted, until))) runs.note(each);
    noted = Math.max(noted, until);
    runs.note(event);
  };
}
