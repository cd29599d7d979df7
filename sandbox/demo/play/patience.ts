import { setTimeout as sleep } from "node:timers/promises";

/** Nothing in the demo takes so long, real ms: a longer wait ends with where to look. */
const patienceMs = 150_000;

/** Waits no longer than the demo's patience for what only our own processes bring. */
export async function withinPatience<T>(what: string, folder: string, work: Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`${what} took more than ${patienceMs / 1000} s: look into the logs in ${folder}`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    limit.abort();
    await late.catch(() => undefined);
  }
}
