import { type Bus, BusRefused, BusUnavailable } from "#libs/bus";
import { type Event, nameSubject } from "#libs/events";
import type { Logger } from "#libs/runtime";

/** Ids of messages that this process knows the bus to have; the oldest are forgotten. */
const mostPublished = 2000;

export interface EventPublisher {
  /**
   * Tells the bus what it does not have yet; nothing is decided on it, so a bus that is down holds up no work. False when it did
   * not take all: the caller comes again.
   */
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  /** What the bus has taken so far is not there any more. */
  readonly forget: () => void;
}

export function createEventPublisher(bus: Pick<Bus, "publish">, log: Pick<Logger, "warn">): EventPublisher {
  const published = new Set<string>();
  return {
    forget: () => published.clear(),
    publish: async (events) => {
      for (const event of events) {
        if (published.has(event.id)) continue;
        try {
          await bus.publish(nameSubject(event), JSON.stringify(event));
        } catch (error) {
          log.warn({ error, event: event.type, id: event.id }, "the bus did not take a message");
          // One that it never takes keeps no later one from being told.
          if (error instanceof BusUnavailable || (error instanceof BusRefused && error.code !== undefined))
            return false;
        }
        published.add(event.id);
        const oldest = published.values().next().value;
        if (published.size > mostPublished && oldest !== undefined) published.delete(oldest);
      }
      return true;
    },
  };
}
