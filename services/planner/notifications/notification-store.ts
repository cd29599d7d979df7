import type { KeyValue } from "#libs/bus";
import { printNotifications, readNotifications, type Notifications } from "#libs/events";
import type { Clock } from "#libs/runtime";

const key = "notifications";

/** Longest time between two writes without a change, real ms: a wiped bus gets it back soon. */
const writeEveryMs = 10_000;

/** What was published to people, stored on the bus for the next planner. */
export interface NotificationStore {
  /** Undefined when the bus has none. */
  load(): Promise<Notifications | undefined>;
  /** `wiped`: what this planner wrote before is gone from the bus. */
  save(notifications: Notifications): Promise<"kept" | "wiped">;
}

export function createNotificationStore(bucket: KeyValue, clock: Pick<Clock, "monotonic">): NotificationStore {
  let last: string | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    async load() {
      const entry = await bucket.get(key);
      return entry?.value === undefined ? undefined : readNotifications(entry.value);
    },
    async save(notifications) {
      const text = printNotifications(notifications);
      if (text === last && clock.monotonic() - writtenAt < writeEveryMs) return "kept";
      const isWiped = last !== undefined && (await bucket.get(key))?.value === undefined;
      await bucket.put(key, text);
      last = text;
      writtenAt = clock.monotonic();
      return isWiped ? "wiped" : "kept";
    },
  };
}
