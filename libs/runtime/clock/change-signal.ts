import type { Clock } from "./clock.ts";

/** Wakes every caller that waits for "something changed". */
export interface ChangeSignal {
  readonly raise: () => void;
  /** Resolves at the next change, after so many real ms, or when the signal aborts. Never rejects. */
  wait(longestMs: number, signal: AbortSignal): Promise<void>;
}

/** Given to each abort: without one a DOMException is made, with its stack, each time that something changed. */
const changedReason = new Error("something changed");

export function createChangeSignal(clock: Clock): ChangeSignal {
  const waiting = new Set<AbortController>();
  return {
    raise() {
      for (const each of waiting) each.abort(changedReason);
    },
    async wait(longestMs, signal) {
      const enough = new AbortController();
      const stop = (): void => enough.abort(changedReason);
      waiting.add(enough);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      // Both aborts mean "stop waiting": the caller looks at the snapshot, not at why it was woken.
      await clock.sleepReal(longestMs, enough.signal).catch(() => undefined);
      signal.removeEventListener("abort", stop);
      waiting.delete(enough);
    },
  };
}
