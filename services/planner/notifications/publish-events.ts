import { type Bus, BusRefused, BusUnavailable } from "#libs/bus";
import { type Event, nameSubject } from "#libs/events";
import type { Logger } from "#libs/runtime";

/** How many ids of messages that the bus has are remembered; the oldest are forgotten. */
const mostPublished = 2000;

export interface EventPublisher {
  /**
   * Publishes the events that the bus does not have yet. Returns false when it did not take all: the caller tries again.
   * Nothing is decided on events, so a bus that is down delays no work.
   */
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  /** Forgets what the bus has taken, after it was wiped. */
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
          // A message that the bus never accepts counts as published, so that the later ones follow.
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
