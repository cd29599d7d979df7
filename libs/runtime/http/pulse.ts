import type { Clock } from "../clock/clock.ts";

/** Shows whether the loops of a process turn: each beats once per turn, successful or not. */
export interface Pulse {
  beat(): void;
  /** Real seconds since the last beat, or since the start. */
  age(): number;
  isAlive(): boolean;
}

/** Longer than any single wait for git or an API server, real seconds: a restart fixes none of those. */
const limitSeconds = 60;

export function createPulse(clock: Clock): Pulse {
  let beatAt = clock.monotonic();
  const age = (): number => (clock.monotonic() - beatAt) / 1000;
  return {
    beat: () => void (beatAt = clock.monotonic()),
    age,
    isAlive: () => age() <= limitSeconds,
  };
}
