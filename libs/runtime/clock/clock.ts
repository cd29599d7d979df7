import { sleepReal } from "./sleep-real.ts";

/**
 * Time. `now` and `sleep` are for what people configure (delays, readinessTimeout, bakes, windows) and may run faster in the
 * sandbox; `monotonic` and `sleepReal` are real time, for freshness limits, locks and polls (rules 12.1).
 */
export interface Clock {
  /** Epoch ms by the system clock, which may be set back or forward; for points in time that people read or write. */
  now(): number;
  /** Ms since a fixed moment, unaffected by changes of the system clock, at the speed of `now`; for durations. */
  elapsed(): number;
  /** Real ms since some fixed moment; never decreases. */
  monotonic(): number;
  /** Resolves after so many ms of `now`; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  sleepReal(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export function systemClock(): Clock {
  const monotonic = () => performance.now();
  return { now: () => Date.now(), elapsed: monotonic, monotonic, sleep: sleepReal, sleepReal };
}
