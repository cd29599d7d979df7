import { type Clock, createChangeSignal } from "#libs/runtime";

/** Changes within this time are handled by one reconcile, real ms. */
const gatherMs = 100;

/** Sleeps until something changed. */
export interface ReconcileTrigger {
  readonly now: () => void;
  /**
   * Resolves after a change, or after `longestMs`, plus a short time in which further changes are gathered; real ms. Never
   * rejects.
   */
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
