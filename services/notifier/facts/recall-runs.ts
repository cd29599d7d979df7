import { type Bus, BusUnavailable } from "#libs/bus";
import { type Event, identifyEvent, isOfItsSubject, readEvent } from "#libs/events";
import type { Logger } from "#libs/runtime";

import { readRun, type RunStore } from "./run-store.ts";

/** About a day of one run: each batch causes three messages. */
const mostMessages = 1_000;
/** After so many failures messages are handled without it; a deployment may then lack failures until its end. */
const mostTries = 10;

/** Without messages of ended runs: theirs are final and not edited again. */
function listOpen(events: readonly Event[]): readonly Event[] {
  const ends = new Map(events.map((event, index) => [event.type === "run.v1.done" ? event.data.run : "", index]));
  return events.filter((event, index) => index > (ends.get(readRun(event) ?? "?") ?? -1));
}

/** The messages in the stream, oldest first. */
async function readKept(bus: Pick<Bus, "recent">): Promise<readonly Event[]> {
  const recent = await bus.recent(mostMessages);
  return recent.flatMap(({ subject, body }) => (isOfItsSubject(subject, body) ? (readEvent(body) ?? []) : []));
}

/** Adds a message to the run store. The first call adds the stream's earlier messages before it, in order. */
export type NoteInOrder = (event: Event) => Promise<void>;

/**
 * Restores what the predecessor of a newly started notifier knew of open runs. Rejects with `BusUnavailable`, without adding
 * the message, while the stream cannot be read; after several failures it goes on without.
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
