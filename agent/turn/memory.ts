import type { Offer } from "#libs/artifact";

/** What an agent sees over time; a new agent starts with nothing, and only waits longer for it. Times are monotonic ms. */
export interface Memory {
  /** The revision that the store was asked for last, and its answer. */
  offer: { readonly revision: string; readonly offer: Offer } | undefined;
  /** When the store is asked again. */
  nextPoll: number;
  /** Looks into the store in a row that failed. */
  failures: number;
  /** The process that was seen last. */
  watched: { readonly pid: number; readonly since: number; readonly readySince: number | undefined } | undefined;
  /** Restarts of the proxy since it was ready last. */
  restarts: number;
  /** The artifact that is kept, and since when this agent knows. */
  kept: { readonly digest: string; readonly since: number } | undefined;
}

export function createMemory(): Memory {
  return { offer: undefined, nextPoll: 0, failures: 0, watched: undefined, restarts: 0, kept: undefined };
}

/** The longest time between two looks, ms. */
const longestMs = 600_000;

/**
 * Ms until the store is asked again: from half to one and a half times `pollMs`, so that thousands of agents that were started at once
 * do not ask at once, and longer the more looks failed. `random` is 0 to 1.
 */
export function spreadPoll(pollMs: number, failures: number, random: number): number {
  const base = Math.max(pollMs, Math.min(pollMs * 2 ** Math.min(failures, 20), longestMs));
  return base * (0.5 + random);
}
