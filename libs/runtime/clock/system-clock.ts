import type { Clock } from "./clock.ts";
import { sleepReal } from "./sleep-real.ts";

/** The time of this machine. */
export function systemClock(): Clock {
  const monotonic = () => performance.now();
  return { now: () => Date.now(), elapsed: monotonic, monotonic, sleep: sleepReal, sleepReal };
}
