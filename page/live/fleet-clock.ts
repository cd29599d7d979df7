import { signal } from "@preact/signals";

import { picture } from "./past.ts";

/** The browser's monotonic ms, updated four times a second, for countdowns and ages. */
export const now = signal(performance.now());

/** The tolerated difference between a writer's clock and ours before it counts as another rate. */
const sameRate = 0.05;

interface Reading {
  /** Epoch ms by the fleet's clock. */
  readonly at: number;
  /** Epoch ms by the planner's system clock. */
  readonly wroteAt: number;
  readonly heardAt: number;
}

let last: Reading | undefined;
let rate = 1;

/** Takes a status's times. In the demo the fleet's time runs faster than real time; two statuses show the rate. */
export function noteStatus(at: string, wroteAt: number | undefined): void {
  const reading = { at: Date.parse(at), wroteAt: wroteAt ?? Number.NaN, heardAt: performance.now() };
  const found = last === undefined ? Number.NaN : (reading.at - last.at) / (reading.wroteAt - last.wroteAt);
  if (Number.isFinite(found) && found > 0) rate = Math.abs(found - 1) < sameRate ? 1 : found;
  last = reading;
}

/** Epoch ms by the fleet's clock, not by the browser's, which may be wrong. Undefined before the first status. */
export function readPresentTime(): number | undefined {
  // Read in any case: what is computed from it without a status has to be computed again once there is one.
  const present = now.value;
  return last === undefined ? undefined : last.at + Math.max(0, present - last.heardAt) * rate;
}

/** The moment that is shown: the present, or that of a picture, at which no countdown runs. */
export function readFleetTime(): number | undefined {
  const shown = picture.value;
  return shown === undefined ? readPresentTime() : Date.parse(shown.status.at);
}

export function startClock(): void {
  setInterval(() => void (now.value = performance.now()), 250);
}
