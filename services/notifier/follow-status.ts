import type { Bus } from "#libs/bus";
import { isOfItsSubject, readEvent, readStatus } from "#libs/events";

import type { RunStore } from "./run-store.ts";

/** Keeps the book at the newest status, and lets it hear every message. */
export async function followStatus(bus: Bus, runs: RunStore, signal: AbortSignal): Promise<void> {
  const watcher = {
    onEntry: ({ value }: { readonly value?: string }) => {
      const status = value === undefined ? undefined : readStatus(value);
      if (status !== undefined) runs.setStatus(status);
    },
    onReady: () => undefined,
    // What was there last is still the newest that is known; its age is shown.
    onReset: () => undefined,
  };
  await bus.bucket("status").watch("fleet", watcher, signal);
  await bus.listen(
    "meshroll.v1.>",
    (subject, body) => {
      const event = isOfItsSubject(subject, body) ? readEvent(body) : undefined;
      if (event !== undefined) runs.note(event);
    },
    signal,
  );
}
