import type { Bus } from "#libs/bus";
import { isOfItsSubject, readEvent, readStatus } from "#libs/events";

import type { NoteInOrder } from "./facts/recall-runs.ts";
import type { RunStore } from "./facts/run-store.ts";

/** Keeps the run store at the newest status, and lets it hear every message. */
export async function followStatus(bus: Bus, runs: RunStore, note: NoteInOrder, signal: AbortSignal): Promise<void> {
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
      // One that cannot be noted in its order is among those that are read back once the bus answers.
      if (event !== undefined) note(event).catch(() => undefined);
    },
    signal,
  );
}
