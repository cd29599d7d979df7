import type { Clock } from "#libs/runtime";

/** One reconcile waits so long for git, all its questions together, real ms: beat, stops and returns come before any answer. */
const budgetMs = 1_500;

/** How long a reconcile waits for what goes on next to it. */
export interface ReconcileDeadline {
  /** A new look begins. */
  renew(): void;
  /** True when the work ended, well or not, within so many real ms and what is left of the reconcile's time; else it goes on by itself. */
  isDone(work: Promise<unknown>, longestMs?: number): Promise<boolean>;
}

/** Given to the abort: without one a DOMException is made, with its stack, at each reconcile. */
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
