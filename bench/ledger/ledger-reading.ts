/** So many records the peer reads whole; its figures are counted up to all of them. */
export const WHOLE_RUNS = 1000;

/**
 * `idle` has loaded all that the others have, and reads nothing. `whole`: a part of the archive with it. `start` reads main and
 * ledger as a process does at its start.
 */
export type LedgerReader = "idle" | "live" | "whole" | "start";

/** One process, after it read the ledger. */
export interface LedgerReading {
  readonly runs: number;
  /** Those with all that is recorded of them. */
  readonly wholeRuns: number;
  /** From a clone that is there, on the wall: most of it is git's. */
  readonly loadMs: number;
  /** CPU time of this process alone. */
  readonly cpuMs: number;
  readonly heapBytes: number;
  /** The most that was ever resident. */
  readonly peakRssBytes: number;
}
