import type { Bus } from "#libs/bus";
import { isOfItsSubject } from "#libs/events";
import type { Logger } from "#libs/runtime";

import { mostEvents } from "./event-memory.ts";
import type { EventHub } from "./event-hub.ts";

/** Reads the messages that this process missed: before its start, and while the bus was away. */
export interface CatchUp {
  /** The connection to the bus is back. An outage may be over before any turn sees it, so the listener reports each one. */
  readonly onReconnect: () => void;
  /** Called at every turn: reads where something may have been missed. Events have ids, so readers get none twice. */
  readonly readMissed: () => void;
}

/**
 * After each outage the stream is read in two turns: the server passes a message on before it stores it, so the first read may
 * miss one.
 */
const readsAfterOutage = 2;

export function createCatchUp(bus: Bus, hub: EventHub, log: Logger): CatchUp {
  let pending = readsAfterOutage;
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
      // A result from before an outage says nothing about that outage.
      if (outages === before) pending -= 1;
    } catch (error) {
      // The bus went away again: the next turn tries again.
      log.debug({ error }, "could not read what the stream has kept");
    } finally {
      isReading = false;
    }
  }

  return {
    onReconnect() {
      outages += 1;
      pending = readsAfterOutage;
    },
    readMissed() {
      if (pending > 0 && !isReading && bus.isConnected()) void read();
    },
  };
}
