import { setTimeout as sleep } from "node:timers/promises";

/** Real ms: a demo in which nothing goes on for so long ends with where to look. */
const patienceMs = 150_000;
const lookEveryMs = 1000;

export interface Patience {
  /** What is waited for, for a person. */
  readonly what: string;
  /** Where the logs are. */
  readonly folder: string;
  /** Another text whenever something went on: a busy machine may take as long as it goes on. */
  readonly printProgress: () => string;
  /** @internal For tests. */
  readonly limits?: { readonly patienceMs: number; readonly lookEveryMs: number };
}

/** Waits for what only our own processes bring, no longer than the demo's patience with a fleet in which nothing goes on. */
export async function withinPatience<T>(work: Promise<T>, patience: Patience): Promise<T> {
  const { what, folder, printProgress, limits = { patienceMs, lookEveryMs } } = patience;
  const ended = new AbortController();
  const watchOver = async (): Promise<never> => {
    let seen = printProgress();
    let since = performance.now();
    while (performance.now() - since < limits.patienceMs) {
      await sleep(limits.lookEveryMs, undefined, { signal: ended.signal });
      const now = printProgress();
      if (now !== seen) since = performance.now();
      seen = now;
    }
    const waited = `${Math.round(limits.patienceMs / 1000)} s`;
    throw new Error(`${what}: nothing has gone on for ${waited}: look into the logs in ${folder}`);
  };
  const late = watchOver();
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
    await late.catch(() => undefined);
  }
}
