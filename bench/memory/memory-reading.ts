/** `idle` loads the same modules as the others and opens no connection. */
export type Contestant = "idle" | "ours" | "peer";

/** How many objects a contestant holds; memory may be compared only when these are equal. */
export interface Seen {
  readonly workloads: number;
  readonly pods: number;
}

/** Measurements of one process, after all was listed and garbage was collected. */
export interface Reading extends Seen {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Highest resident memory, including garbage of the listing. */
  readonly peakRssBytes: number;
  /** Wall-clock time from the start until everything was listed. */
  readonly wallMs: number;
  readonly cpuMs: number;
}
