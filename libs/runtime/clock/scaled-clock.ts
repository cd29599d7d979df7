import type { Clock } from "./clock.ts";
import { sleepReal } from "./sleep-real.ts";

/** Time that starts at `startAt` (epoch ms) at the real moment `realZero` (epoch ms) and runs `factor` times as fast. */
export interface ClockScale {
  readonly startAt: number;
  readonly factor: number;
  readonly realZero: number;
}

/**
 * The sandbox's clock, computed from the system clock, so that all processes with the same scale agree. It is not exported from
 * the lib: services get it through `openClock`, from the sandbox's environment.
 */
export function scaledClock({ startAt, factor, realZero }: ClockScale): Clock {
  return {
    now: () => startAt + (Date.now() - realZero) * factor,
    elapsed: () => performance.now() * factor,
    monotonic: () => performance.now(),
    sleep: (ms, signal) => sleepReal(ms / factor, signal),
    sleepReal,
  };
}
