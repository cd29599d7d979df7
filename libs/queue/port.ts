/** The one job that a cluster's queue may hold. */
export interface OpenBatch<Job> {
  readonly job: Job;
  readonly state: "waiting" | "active" | "failed";
  /** Only for a failed one. */
  readonly reason?: string;
}

/**
 * Hands out batches: one queue for each cluster, with at most one job, id `batch` (rules 4.1). It enforces nothing; the
 * executor does.
 */
export interface BatchQueue<Job> {
  /** `present` when the cluster already has one. Throws `QueueUnavailable` when Redis does not answer at once. */
  put(cluster: string, job: Job): Promise<"added" | "present">;
  inspect(cluster: string): Promise<OpenBatch<Job> | undefined>;
  /** Removes a waiting or failed job; an active one stays and false is returned. */
  drop(cluster: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A job that a worker has taken. */
export interface HeldBatch<Job> {
  readonly job: Job;
  /** A worker had it before, which may have carried out a part of it. */
  readonly isRetaken: boolean;
  /** Aborted when the lock on the job is lost or the worker stops: nothing may be written afterwards. */
  readonly signal: AbortSignal;
  /** True while this worker provably has the job's lock (renewed within the lock's duration). */
  holdsLock(): boolean;
}

/**
 * Takes batches, one at a time for each cluster. A killed worker's job goes to another one within seconds (lock 5 s, stalled
 * check 2 s).
 */
export interface BatchWorker {
  close(): Promise<void>;
}

export type ServeBatches<Job> = (cluster: string, handle: (held: HeldBatch<Job>) => Promise<void>) => BatchWorker;
