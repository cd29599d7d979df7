import type { Clock } from "#libs/runtime";

/** Wall-clock time runs `factor` times as fast as real time, as in the sandbox. Both are derived from the flow's clock. */
export function makeFastClock(clock: Clock, factor: number): Clock {
  const [start, elapsed] = [clock.now(), clock.elapsed()];
  return {
    now: () => start + (clock.now() - start) * factor,
    elapsed: () => elapsed + (clock.elapsed() - elapsed) * factor,
    monotonic: () => clock.monotonic(),
    sleep: async (ms, signal) => clock.sleep(ms / factor, signal),
    sleepReal: async (ms, signal) => clock.sleepReal(ms, signal),
  };
}
