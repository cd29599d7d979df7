import type { Bus } from "#libs/bus";
import type { Logger } from "#libs/runtime";

import { mostEvents } from "./event-memory.ts";
import type { EventHub } from "./event-hub.ts";

/**
 * Reads what was said while this process did not listen: before its start, and while the bus was away. To be called again
 * and again; it does something only when the bus has come back. Readers get nothing twice, as an event has its own id.
 */
export function createCatchUp(bus: Bus, hub: EventHub, log: Logger): () => void {
  let isThrough = false;
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    try {
      hub.catchUp((await bus.recent(mostEvents)).map(({ body }) => body));
      isThrough = true;
    } catch (error) {
      // The bus went away again: the next turn tries anew.
      log.debug({ error }, "could not read what the stream has kept");
    } finally {
      isReading = false;
    }
  }

  return () => {
    if (!bus.isConnected()) isThrough = false;
    else if (!isThrough && !isReading) void read();
  };
}
