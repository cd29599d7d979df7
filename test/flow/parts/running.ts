/** A process that runs in the test's own: it can be killed and started again. */
export interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  /** Ends it as `kill -9` does: without a last word. */
  readonly kill?: () => void;
  /** Of an executor: the clusters that it serves. */
  readonly clusters?: readonly string[];
}

/** As `kill -9` does. */
export function endAtOnce({ kill, stop }: Running): void {
  kill?.();
  stop.abort();
}
