/** A job as it is stored in Redis. */
export interface StoredJob<Job> {
  /** Tells its adder that it was added by this call, when two add at once. */
  readonly nonce: string;
  readonly job: Job;
}

/** The job inside. Another program may have put anything there, which the caller's check refuses. */
export function readStored<Job>(data: unknown): Job {
  return (data as StoredJob<Job> | null)?.job as Job;
}

/** The nonce, or undefined when another program put it. */
export function readNonce(data: unknown): string | undefined {
  return (data as StoredJob<unknown> | null)?.nonce;
}
