import type { RepositorySnapshots } from "#libs/repository";
import type { Decision } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";
import { GitUnavailable } from "#libs/git";

import type { ReconcileDeadline } from "../loop/reconcile-deadline.ts";
import { findReason } from "../loop/name-refusal.ts";

/**
 * The wait for a refusal of git, or for main that cannot be read: until then newer commits do not count. A ledger that cannot
 * be read has a reason of its own, and an outage of git shows by main's age.
 */
function waitForReading(fault: unknown): readonly Decision[] {
  if (fault === undefined || fault instanceof GitUnavailable) return [];
  return [{ kind: "wait", scope: "all", reason: findReason(fault, "GitRefused") }];
}

export interface MainReaderParts {
  readonly repositorySnapshots: RepositorySnapshots;
  readonly clock: Clock;
  readonly log: Logger;
  readonly deadline: Pick<ReconcileDeadline, "isDone">;
  /** Longest time between two fetches of main, real ms. */
  readonly gitPollMs: number;
  /** Called when a fetch has ended. */
  readonly wake: () => void;
  /** Called when git answers again after a failure. */
  readonly onBack: () => void;
}

/** Fetches main in parallel with the reconciles: none of them waits for git for long. */
export interface MainReader {
  /** Before the first reconcile: reads what the clone of an earlier process has, in case git does not answer. */
  recall(): Promise<void>;
  /** Begins a fetch when one is due; with `hasRequests` that is now, because a verb is judged by the newest main. */
  refresh(hasRequests: boolean, signal: AbortSignal): Promise<void>;
  /** A webhook said that main changed. */
  hint(): void;
  /** Main changed by a merge of this planner: it is fetched at once, however recent the last fetch was. */
  expire(): void;
  /** Why the last fetch cannot be read, as waits; empty while it can, and while git only does not answer. */
  waits(): readonly Decision[];
}

/** A reconcile waits at most so long after the beginning of a fetch, real ms: most have ended by then. */
const fetchWaitMs = 1_000;
/** Shortest time between two fetches that hints caused, real ms. */
const hintedFetchMs = 500;
/** Real ms until a failed fetch is tried again: the first time, and at most. */
const retryMs = [1_000, 30_000] as const;

export function createMainReader(parts: MainReaderParts): MainReader {
  const { repositorySnapshots, clock, log, deadline, gitPollMs } = parts;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let retryAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let hinted = false;
  let fetching: Promise<void> | undefined;
  let fault: unknown;

  /** Never rejects. While git does not answer, the last main counts for ten minutes. */
  async function fetchOnce(signal: AbortSignal): Promise<void> {
    try {
      await repositorySnapshots.refresh(signal);
      if (failures > 0) parts.onBack();
      failures = 0;
      fault = undefined;
    } catch (error) {
      fault = error;
      const [first, longest] = retryMs;
      retryAt = clock.monotonic() + Math.min(longest, first * 2 ** failures);
      failures += 1;
      if (!signal.aborted) log.warn({ error }, "could not read main: the last one is used until it is ten minutes old");
    }
    fetching = undefined;
    parts.wake();
  }

  function isDue(hasRequests: boolean): boolean {
    const age = clock.monotonic() - fetchedAt;
    if (fetching !== undefined || clock.monotonic() < retryAt) return false;
    return age >= gitPollMs || hasRequests || (hinted && age >= hintedFetchMs);
  }

  return {
    async recall() {
      const work = repositorySnapshots.recall().catch((error: unknown) => {
        fault = error;
        log.warn({ error }, "the previous process's clone cannot be read: nothing is known before git answers");
      });
      await deadline.isDone(work);
    },
    async refresh(hasRequests, signal) {
      if (isDue(hasRequests)) {
        fetchedAt = clock.monotonic();
        hinted = false;
        fetching = fetchOnce(signal);
      }
      const left = fetchedAt + fetchWaitMs - clock.monotonic();
      if (fetching !== undefined && left > 0) await deadline.isDone(fetching, left);
    },
    hint: () => void (hinted = true),
    expire: () => void (fetchedAt = Number.NEGATIVE_INFINITY),
    waits: () => waitForReading(fault),
  };
}
