import type { Clock } from "./clock.ts";

/** Wakes all callers that wait for a change. */
export interface ChangeSignal {
  readonly raise: () => void;
  /** Resolves at the next change, after so many real ms, or when the signal aborts. Never rejects. */
  wait(longestMs: number, signal: AbortSignal): Promise<void>;
}

/** The reason of each abort, made once: else every change would create a DOMException with a stack. */
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
      // Both aborts end the wait: the caller looks at the new state, not at the reason.
      await clock.sleepReal(longestMs, enough.signal).catch(() => undefined);
      signal.removeEventListener("abort", stop);
      waiting.delete(enough);
    },
  };
}
