import { sleepReal } from "./sleep-real.ts";

/**
 * Time. `now` and `sleep` are what people configure (delays, readinessTimeout, bakes, windows) and may run faster in the
 * sandbox; `monotonic` and `sleepReal` are real time, for freshness limits, locks and polls (rules 12.1).
 */
export interface Clock {
  /** Epoch ms of the time people live in: when something is, as people write it. A machine's may be set back or forth. */
  now(): number;
  /** Ms of the time people live in since some fixed moment, however the machine's clock is set: how long something takes. */
  elapsed(): number;
  /** Real ms since some fixed moment; never decreases. */
  monotonic(): number;
  /** Resolves after so many ms of `now`-time; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  sleepReal(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export function systemClock(): Clock {
  const monotonic = () => performance.now();
  return { now: () => Date.now(), elapsed: monotonic, monotonic, sleep: sleepReal, sleepReal };
}
