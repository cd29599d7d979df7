import { signal } from "@preact/signals";

/** Browser's monotonic ms, renewed four times a second: what counts down and what grows old is drawn by it. */
export const now = signal(performance.now());

/** So far a writer's clock may run faster or slower before it counts as another rate. */
const sameRate = 0.05;

interface Reading {
  /** Epoch ms by the fleet's clock. */
  readonly at: number;
  /** Epoch ms of the planner's wall. */
  readonly wroteAt: number;
  readonly heardAt: number;
}

let last: Reading | undefined;
let rate = 1;

/** Takes a status's moment. In the demo the fleet's time runs faster than the wall's: the rate shows in two of them. */
export function noteStatus(at: string, wroteAt: number | undefined): void {
  const reading = { at: Date.parse(at), wroteAt: wroteAt ?? Number.NaN, heardAt: performance.now() };
  const found = last === undefined ? Number.NaN : (reading.at - last.at) / (reading.wroteAt - last.wroteAt);
  if (Number.isFinite(found) && found > 0) rate = Math.abs(found - 1) < sameRate ? 1 : found;
  last = reading;
}

/** Epoch ms by the fleet's clock, never by the browser's: that one may be set wrong. Undefined before a status was heard. */
export function readFleetTime(): number | undefined {
  return last === undefined ? undefined : last.at + Math.max(0, now.value - last.heardAt) * rate;
}

export function startClock(): void {
  setInterval(() => void (now.value = performance.now()), 250);
}
