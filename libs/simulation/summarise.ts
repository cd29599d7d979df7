import type { SimulatedRun } from "./answer/answer.ts";

/** The end of a campaign over several simulations that differ only in what was drawn. */
export interface Spread {
  readonly runs: number;
  /** How many of them completed. */
  readonly complete: number;
  /** Epoch ms at which half of all had ended; absent when fewer than half do. */
  readonly p50?: number;
  /** Epoch ms at which 95 % had ended; absent when fewer do. */
  readonly p95?: number;
}

/** The time at which this share (0..1) of all runs had ended. A run that never ends counts as later than all others. */
function findQuantile(ends: readonly number[], runs: number, share: number): number | undefined {
  return ends[Math.max(0, Math.ceil(share * runs) - 1)];
}

/** Summarises several simulations of the same question. */
export function summarise(runs: readonly SimulatedRun[]): Spread {
  const ends = runs.flatMap(({ end }) => (end.kind === "complete" ? [end.at] : [])).toSorted((a, b) => a - b);
  const [p50, p95] = [findQuantile(ends, runs.length, 0.5), findQuantile(ends, runs.length, 0.95)];
  return {
    runs: runs.length,
    complete: ends.length,
    ...(p50 === undefined ? {} : { p50 }),
    ...(p95 === undefined ? {} : { p95 }),
  };
}
