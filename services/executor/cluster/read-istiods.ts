import type { Cluster } from "#libs/kube";
import type { Clock, Logger } from "#libs/runtime";

export interface IstiodParts {
  readonly cluster: Pick<Cluster, "readIstiods">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Resolves when something changed, or after this many real ms. */
  readonly waitForChange: (longestMs: number, signal: AbortSignal) => Promise<void>;
}

/** Shortest time between two reads, real ms. */
const atMostEveryMs = 2_000;
/** Longest time between two reads when nothing changes, real ms. */
const atLeastEveryMs = 20_000;
/** Reads take at most this part of the time: istiods of a large mesh answer with megabytes. */
const largestPart = 1 / 20;
/**
 * Upper limit of the pause that `largestPart` leads to, real ms, so that one slow answer does not delay the next read by
 * minutes.
 */
const longestPauseMs = 30_000;

/** Reads version and proxies from the cluster's istiods, again and again until the signal aborts. */
export async function readIstiodsRepeatedly(
  { cluster, clock, log, waitForChange }: IstiodParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const began = clock.monotonic();
    await cluster.readIstiods().catch((error: unknown) => {
      log.error({ error }, "could not ask istiod: its answer is unknown until the next reconcile");
    });
    const took = clock.monotonic() - began;
    const pause = Math.min(Math.max(atMostEveryMs, took / largestPart), Math.max(longestPauseMs, took));
    // Listens from now on, so that a change during the pause counts too.
    const changed = waitForChange(Math.max(atLeastEveryMs, pause), signal);
    await clock.sleepReal(pause, signal).catch(() => undefined);
    await changed;
  }
}
