import { setTimeout as sleep } from "node:timers/promises";

/** Real ms without progress after which the demo ends with a hint where to look. */
const patienceMs = 150_000;
const pollMs = 1000;

export interface Patience {
  /** What is waited for, for the error's text. */
  readonly what: string;
  /** Folder of the logs. */
  readonly folder: string;
  /** A text that changes with each progress: a busy machine may take long as long as there is some. */
  readonly printProgress: () => string;
  /** For tests. @internal */
  readonly limits?: { readonly patienceMs: number; readonly pollMs: number };
}

/** Waits for `work` of our own processes; rejects when there was no progress for 150 s. */
export async function withinPatience<T>(work: Promise<T>, patience: Patience): Promise<T> {
  const { what, folder, printProgress, limits = { patienceMs, pollMs } } = patience;
  const ended = new AbortController();
  const rejectWhenStuck = async (): Promise<never> => {
    let seen = printProgress();
    let since = performance.now();
    while (performance.now() - since < limits.patienceMs) {
      await sleep(limits.pollMs, undefined, { signal: ended.signal });
      const now = printProgress();
      if (now !== seen) since = performance.now();
      seen = now;
    }
    const waited = `${Math.round(limits.patienceMs / 1000)} s`;
    throw new Error(`${what}: no progress for ${waited}: see the logs in ${folder}`);
  };
  const late = rejectWhenStuck();
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
    await late.catch(() => undefined);
  }
}
