import type { Cluster } from "#libs/kube";
import type { Clock, Logger } from "#libs/runtime";

export interface IstiodReading {
  readonly cluster: Pick<Cluster, "readIstiods">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Resolves when something changed, or after so many real ms. */
  readonly waitForChange: (longestMs: number, signal: AbortSignal) => Promise<void>;
}

/** Real ms between two looks at the least, while things change. */
const atMostEveryMs = 2_000;
/** Real ms between two reconciles when nothing changes. */
const atLeastEveryMs = 20_000;
/** A large mesh has megabytes to tell: asking takes no more than this part of the time, */
const largestPart = 1 / 20;
/** unless it took so long that the next look would come too late: one that a busy network held up costs no minutes. */
const longestPauseMs = 30_000;

/** Queries the cluster's istiods for their version and their proxies, again and again, until the signal aborts. */
export async function keepIstiodsRead(
  { cluster, clock, log, waitForChange }: IstiodReading,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const began = clock.monotonic();
    await cluster.readIstiods().catch((error: unknown) => {
      log.error({ error }, "could not ask istiod: what it says is unknown until the next reconcile");
    });
    const took = clock.monotonic() - began;
    const pause = Math.min(Math.max(atMostEveryMs, took / largestPart), Math.max(longestPauseMs, took));
    // From now on, not from the end of the pause: what changes in it is news too.
    const changed = waitForChange(Math.max(atLeastEveryMs, pause), signal);
    await clock.sleepReal(pause, signal).catch(() => undefined);
    await changed;
  }
}
