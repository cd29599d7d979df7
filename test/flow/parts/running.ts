/** A process that runs inside the test's process and can be killed and started again. */
export interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  /** Ends it as `kill -9` does: without any further call. */
  readonly kill?: () => void;
  /** Of an executor: the clusters that it serves. */
  readonly clusters?: readonly string[];
}

/** Ends it as `kill -9` does. */
export function endAtOnce({ kill, stop }: Running): void {
  kill?.();
  stop.abort();
}
