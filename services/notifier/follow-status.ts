import type { Bus } from "#libs/bus";
import { readEvent } from "#libs/events";
import type { FleetStatus } from "#libs/plan";

import type { RunBook } from "./run-book.ts";

/** A value of the key `fleet`; undefined for anything that is not a status. */
function readStatus(text: string): FleetStatus | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isStatus = typeof parsed === "object" && parsed !== null && "kind" in parsed && parsed.kind === "FleetStatus";
    // Fields may be added and none of v1 changes, so its kind says what it has.
    return isStatus ? (parsed as FleetStatus) : undefined;
  } catch {
    // A torn write: the next one is whole.
    return undefined;
  }
}

/** Keeps the book at the newest status, and lets it hear every message. */
export async function followStatus(bus: Bus, runs: RunBook, signal: AbortSignal): Promise<void> {
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
    (_, body) => {
      const event = parseEvent(body);
      if (event !== undefined) runs.note(event);
    },
    signal,
  );
}

/** A message of ours; undefined for one of a newer process, and for what is none at all. */
export function parseEvent(body: string): ReturnType<typeof readEvent> {
  try {
    return readEvent(body);
  } catch {
    // Not JSON: whoever wrote it is none of us, and there is nothing to tell.
    return undefined;
  }
}
