import type { Bus } from "#libs/bus";
import { isOfItsSubject, readEvent, readStatus } from "#libs/events";

import type { NoteInOrder } from "./facts/recall-runs.ts";
import type { RunStore } from "./facts/run-store.ts";

/** Updates the run store from the published status, and passes every message to `note`. */
export async function followStatus(bus: Bus, runs: RunStore, note: NoteInOrder, signal: AbortSignal): Promise<void> {
  const watcher = {
    onEntry: ({ value }: { readonly value?: string }) => {
      const status = value === undefined ? undefined : readStatus(value);
      if (status !== undefined) runs.setStatus(status);
    },
    onReady: () => undefined,
    // After a wipe the last status is still the newest one known; its age is shown.
    onReset: () => undefined,
  };
  await bus.bucket("status").watch("fleet", watcher, signal);
  await bus.listen(
    "meshroll.v1.>",
    (subject, body) => {
      const event = isOfItsSubject(subject, body) ? readEvent(body) : undefined;
      // A message that cannot be noted now is read back from the stream later.
      if (event !== undefined) note(event).catch(() => undefined);
    },
    signal,
  );
}
