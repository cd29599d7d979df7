/** A sandbox in which people's time starts at `startAt` (epoch ms) now and runs `factor` times as fast as real time. */
export interface SandboxTime {
  readonly startAt: number;
  readonly factor: number;
}

/** Value of `MESHROLL_SANDBOX_CLOCK`: every process of one sandbox gets the same, so that they agree about the time. */
export function describeSandboxClock({ startAt, factor }: SandboxTime, realZero = Date.now()): string {
  return `${startAt}:${factor}:${realZero}`;
}
