import type { Bus } from "#libs/bus";
import { isOfItsSubject } from "#libs/events";
import type { Logger } from "#libs/runtime";

import { mostEvents } from "./event-memory.ts";
import type { EventHub } from "./event-hub.ts";

/** Reads what was said while this process did not listen: before its start, and while the bus was away. */
export interface CatchUp {
  /** The listener hears again. An outage may be over before any turn sees it: only the listener knows of each. */
  readonly onBack: () => void;
  /** For every turn: looks when something may have been missed. Readers get nothing twice, as an event has its own id. */
  readonly look: () => void;
}

/**
 * After each outage it looks in two turns. A server tells its listeners of a message first and keeps it then: one that was
 * said just before it knew of us may not be kept yet when it answers our first reconcile.
 */
const looks = 2;

export function createCatchUp(bus: Bus, hub: EventHub, log: Logger): CatchUp {
  let pending = looks;
  let outages = 0;
  let isReading = false;

  async function read(): Promise<void> {
    const before = outages;
    isReading = true;
    try {
      const recent = await bus.recent(mostEvents);
      hub.catchUp(
        recent.filter(({ subject, body }) => isOfItsSubject(subject, body)).map(({ body }) => body),
        outages > 0,
      );
      // What was read before an outage says nothing about it.
      if (outages === before) pending -= 1;
    } catch (error) {
      // The bus went away again: the next turn tries again.
      log.debug({ error }, "could not read what the stream has kept");
    } finally {
      isReading = false;
    }
  }

  return {
    onBack() {
      outages += 1;
      pending = looks;
    },
    look() {
      if (pending > 0 && !isReading && bus.isConnected()) void read();
    },
  };
}
