import type { Clock } from "#libs/runtime";

/** Changes within so long are one decision, real ms (architecture §3). */
const gatherMs = 100;

/** Given to each abort: without one a DOMException is made, with its stack, each time that something changed. */
const woken = new Error("something changed");

/** Sleeps until something changed. */
export interface Wake {
  readonly now: () => void;
  /** Resolves after a change, a little later so that many changes are one reconcile, or after so many real ms. Never rejects. */
  wait(longestMs: number, signal: AbortSignal): Promise<void>;
}

export function createWake(clock: Clock): Wake {
  let isAwake = false;
  let interrupt: AbortController | undefined;
  return {
    now() {
      isAwake = true;
      interrupt?.abort(woken);
    },
    async wait(longestMs, signal) {
      if (!isAwake) {
        const enough = new AbortController();
        const stop = (): void => enough.abort(woken);
        interrupt = enough;
        // A listener that is taken off again: AbortSignal.any leaves its signal with `signal`, which lives as long as we do.
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted) stop();
        // An abort only means "reconcile now": the caller reads the snapshot, not why it was woken.
        await clock.sleepReal(longestMs, enough.signal).catch(() => undefined);
        signal.removeEventListener("abort", stop);
        interrupt = undefined;
      }
      isAwake = false;
      await clock.sleepReal(gatherMs, signal).catch(() => undefined);
    },
  };
}
