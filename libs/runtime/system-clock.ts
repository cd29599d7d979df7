import type { Clock } from "./clock.ts";
import { sleepReal } from "./sleep-real.ts";

/** The time of this machine. */
export function systemClock(): Clock {
  return { now: () => Date.now(), monotonic: () => performance.now(), sleep: sleepReal, sleepReal };
}
