import type { Offer } from "#libs/artifact";

/** What an agent observes over time. A new agent starts with nothing, and only waits longer. Times are monotonic ms. */
export interface Memory {
  /** The revision that the store was last asked for, and its answer. */
  offer: { readonly revision: string; readonly offer: Offer } | undefined;
  /** When the store is asked again. */
  nextPoll: number;
  /** Failed looks into the store in a row. */
  failures: number;
  /** The process that was last seen. */
  watched: { readonly pid: number; readonly since: number; readonly readySince: number | undefined } | undefined;
  /** Restarts of the proxy since it was ready last. */
  restarts: number;
  /** The kept artifact, and since when this agent knows it. */
  kept: { readonly digest: string; readonly since: number } | undefined;
}

export function createMemory(): Memory {
  return { offer: undefined, nextPoll: 0, failures: 0, watched: undefined, restarts: 0, kept: undefined };
}

/** The longest time between two looks, ms. */
const longestMs = 600_000;

/**
 * Ms until the store is asked again: half to one and a half times `pollMs`, so that agents that started together do not ask
 * together; longer after failures. `random` is 0 to 1.
 */
export function spreadPoll(pollMs: number, failures: number, random: number): number {
  const base = Math.max(pollMs, Math.min(pollMs * 2 ** Math.min(failures, 20), longestMs));
  return base * (0.5 + random);
}
