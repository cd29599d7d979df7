import type { Clock } from "#libs/runtime";

/**
 * How long one reconcile waits for git, all its calls together, real ms: beat, stops and rollbacks must not wait for an answer.
 */
const budgetMs = 1_500;

/** Limits how long a reconcile waits for work that goes on in parallel. */
export interface ReconcileDeadline {
  /** A new reconcile begins. */
  renew(): void;
  /**
   * True when the work ended, with or without success, within `longestMs` (real) and the rest of the reconcile's time; else the
   * work goes on in parallel.
   */
  isDone(work: Promise<unknown>, longestMs?: number): Promise<boolean>;
}

/** The abort's reason: without one, a DOMException with a stack is made at each reconcile. */
const inTime = new Error("git answered in time");

export function createReconcileDeadline(clock: Pick<Clock, "monotonic" | "sleepReal">): ReconcileDeadline {
  let over = clock.monotonic() + budgetMs;
  return {
    renew: () => void (over = clock.monotonic() + budgetMs),
    async isDone(work, longestMs = budgetMs) {
      const enough = new AbortController();
      const limitMs = Math.max(0, Math.min(longestMs, over - clock.monotonic()));
      const ended = work.then(
        () => true,
        () => true,
      );
      const late = clock.sleepReal(limitMs, enough.signal).then(
        () => false,
        () => false,
      );
      const isDone = await Promise.race([ended, late]);
      enough.abort(inTime);
      return isDone;
    },
  };
}
