import { type Clock, createChangeSignal } from "#libs/runtime";

/** Changes within so long are one decision, real ms (architecture §3). */
const gatherMs = 100;

/** Sleeps until something changed. */
export interface ReconcileTrigger {
  readonly now: () => void;
  /** Resolves after a change, a little later so that many changes are one reconcile, or after so many real ms. Never rejects. */
  wait(longestMs: number, signal: AbortSignal): Promise<void>;
}

export function createReconcileTrigger(clock: Clock): ReconcileTrigger {
  const change = createChangeSignal(clock);
  let isAwake = false;
  return {
    now() {
      isAwake = true;
      change.raise();
    },
    async wait(longestMs, signal) {
      // An abort only means "reconcile now": the caller reads the snapshot, not why it was woken.
      if (!isAwake) await change.wait(longestMs, signal);
      isAwake = false;
      await clock.sleepReal(gatherMs, signal).catch(() => undefined);
    },
  };
}
