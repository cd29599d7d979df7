import type { SimulatedRun } from "./answer/answer.ts";

/** When a campaign ends, over several simulations that differ only in what was drawn. */
export interface Spread {
  readonly runs: number;
  /** Those that came to their end. */
  readonly complete: number;
  /** Epoch ms by which half of all ended; absent when fewer than half do. */
  readonly p50?: number;
  /** Epoch ms by which 95 in 100 ended; absent when fewer do. */
  readonly p95?: number;
}

/** The end by which this share (0..1) of all runs was through: a run that never ends is later than any other. */
function findQuantile(ends: readonly number[], runs: number, share: number): number | undefined {
  return ends[Math.max(0, Math.ceil(share * runs) - 1)];
}

/** What several simulations of the same question say together. */
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
