/** A job as it lies in Redis. */
export interface StoredJob<Job> {
  /** Tells the one who added it that it was his, when two add at once. */
  readonly nonce: string;
  readonly job: Job;
}

/** The job inside; whatever stands there when another deployment put it, which the caller's own check refuses. */
export function readStored<Job>(data: unknown): Job {
  return (data as StoredJob<Job> | null)?.job as Job;
}

/** The nonce, or undefined when other code put it. */
export function readNonce(data: unknown): string | undefined {
  return (data as StoredJob<unknown> | null)?.nonce;
}
