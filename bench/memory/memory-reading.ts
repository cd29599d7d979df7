/** `idle` has loaded all that the others have and is connected to nothing. */
export type Contestant = "idle" | "ours" | "peer";

/** What a contestant knows of the cluster: memory counts only for the same knowledge. */
export interface Seen {
  readonly workloads: number;
  readonly pods: number;
}

/** One process, once everything was listed and garbage was collected. */
export interface Reading extends Seen {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** The most that was ever resident, garbage of the listing included. */
  readonly peakRssBytes: number;
  /** From the start until everything was listed. */
  readonly wallMs: number;
  readonly cpuMs: number;
}
