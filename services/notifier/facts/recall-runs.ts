import { type Bus, BusUnavailable } from "#libs/bus";
import { type Event, identifyEvent, isOfItsSubject, readEvent } from "#libs/events";
import type { Logger } from "#libs/runtime";

import { readRun, type RunStore } from "./run-store.ts";

/** About a day of one run: a batch makes three messages. */
const mostMessages = 1_000;
/** After so many failures messages are handled without it; a deployment may then lack failures until its end. */
const mostTries = 10;

/** Without runs that have ended: their messages are final, and are not edited again. */
function listOpen(events: readonly Event[]): readonly Event[] {
  const ends = new Map(events.map((event, index) => [event.type === "run.v1.done" ? event.data.run : "", index]));
  return events.filter((event, index) => index > (ends.get(readRun(event) ?? "?") ?? -1));
}

/** The messages that the stream holds, oldest first. */
async function readKept(bus: Pick<Bus, "recent">): Promise<readonly Event[]> {
  const recent = await bus.recent(mostMessages);
  return recent.flatMap(({ subject, body }) => (isOfItsSubject(subject, body) ? (readEvent(body) ?? []) : []));
}

/** Takes a message into the run store. The first call takes the stream's earlier messages before it, in order. */
export type NoteInOrder = (event: Event) => Promise<void>;

/**
 * Gives a notifier that has just started what its predecessor knew of open runs. Rejects with `BusUnavailable`, without taking
 * the message, while the stream cannot be read; after several failures it continues without.
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
