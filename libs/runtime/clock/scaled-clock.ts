import type { Clock } from "./clock.ts";
import { sleepReal } from "./sleep-real.ts";

/** People's time that starts at `startAt` (epoch ms) at the real moment `realZero` (epoch ms) and runs `factor` times as fast. */
export interface ClockScale {
  readonly startAt: number;
  readonly factor: number;
  readonly realZero: number;
}

/**
 * The sandbox's clock. It is computed from the machine's clock, so that all processes with the same scale agree without
 * talking. Not in the lib's index: a service gets it by `openClock` alone, which the sandbox's environment asks for.
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
