/** A job as it is stored in Redis. */
export interface StoredJob<Job> {
  /** Shows the caller that its own call added the job, when two add at once. */
  readonly nonce: string;
  readonly job: Job;
}

/** The job. Another program may have stored anything; the caller checks it. */
export function readStored<Job>(data: unknown): Job {
  return (data as StoredJob<Job> | null)?.job as Job;
}

/** The nonce; undefined where another program stored the job. */
export function readNonce(data: unknown): string | undefined {
  return (data as StoredJob<unknown> | null)?.nonce;
}
