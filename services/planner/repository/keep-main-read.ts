import type { RepositorySnapshots } from "#libs/repository";
import type { Decision } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";
import { GitUnavailable } from "#libs/git";

import type { ReconcileDeadline } from "../loop/reconcile-deadline.ts";
import { findReason } from "../loop/name-refusal.ts";

/**
 * What git refuses, or this planner cannot read of main: until it can, newer commits count for nothing. A ledger that cannot be
 * read has a name of its own, and a git that does not answer is told by how old main is.
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
  /** Main is fetched at least so often, real ms. */
  readonly gitPollMs: number;
  /** A fetch has ended. */
  readonly wake: () => void;
  /** Git answers after it did not. */
  readonly onBack: () => void;
}

/** Fetches main in parallel with the reconciles: none of them waits for git to answer. */
export interface MainReader {
  /** Before the first reconcile: what the clone of an earlier process knows, should git not answer. */
  recall(): Promise<void>;
  /** Begins a fetch when its time has come; with `hasRequests` that is now: a verb is judged by the newest main. */
  refresh(hasRequests: boolean, signal: AbortSignal): Promise<void>;
  /** GitHub said that main moved. */
  hint(): void;
  /** Main moved by our own hand: however short ago it was fetched. */
  expire(): void;
  /** Why what was fetched last cannot be read, as a named wait; none while it can, or while git only does not answer. */
  waits(): readonly Decision[];
}

/** A reconcile waits no longer than this from the beginning of a fetch, real ms: most are through by then. */
const fetchWaitMs = 1_000;
/** A flood of hints makes no more fetches than this, real ms between two. */
const hintedFetchMs = 500;
/** Real ms until a fetch that failed is tried again: the first time, and at most. */
const retryMs = [1_000, 30_000] as const;

export function createMainReader(parts: MainReaderParts): MainReader {
  const { repositorySnapshots, clock, log, deadline, gitPollMs } = parts;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let retryAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let hinted = false;
  let fetching: Promise<void> | undefined;
  let fault: unknown;

  /** Without git the last main serves ten minutes, and executors go on being told. */
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
      if (!signal.aborted) log.warn({ error }, "could not read main: the last one serves until it is ten minutes old");
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
        log.warn({ error }, "the clone of the process before cannot be read: nothing is known before git answers");
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
