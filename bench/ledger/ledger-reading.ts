/** Records that the peer reads in full; its figures are extrapolated to all records. */
export const WHOLE_RUNS = 1000;

/**
 * `idle` loads the same modules and reads nothing. `live` reads the ledger without the archive's records, `whole` also reads
 * some of these in full. `start` reads main and ledger as a service does at its start.
 */
export type LedgerReader = "idle" | "live" | "whole" | "start";

/** Measurements of one process, after it read the ledger. */
export interface LedgerReading {
  readonly runs: number;
  /** Runs with their full record. */
  readonly wholeRuns: number;
  /** Wall-clock time from an existing clone; git takes most of it. */
  readonly loadMs: number;
  /** CPU time of this process, without git's. */
  readonly cpuMs: number;
  readonly heapBytes: number;
  /** Highest resident memory of the process. */
  readonly peakRssBytes: number;
}
