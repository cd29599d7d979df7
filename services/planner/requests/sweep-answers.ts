import type { KeyValue } from "#libs/bus";
import type { Clock, Logger } from "#libs/runtime";

/** An answer is kept between one and two times this long, real ms: no caller waits that long. */
const retentionMs = 600_000;

/**
 * Deletes old answers to verbs: there is one for each verb ever sent. Old means below the bucket's revision at the last sweep,
 * so no clock has to agree with the server's. A request that comes again is answered again, from the ledger.
 */
export function createAnswerSweeper(status: KeyValue, clock: Clock, log: Logger): () => Promise<void> {
  let mark: number | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;

  async function sweep(): Promise<void> {
    // The status is written every few seconds, so its revision is nearly the bucket's newest.
    const revision = (await status.get("fleet"))?.revision;
    // After a wipe revisions start again at zero: all values may be younger than the mark.
    if (mark !== undefined && revision !== undefined && mark <= revision) await status.sweep("answer.*", mark);
    mark = revision;
  }

  return async () => {
    const now = clock.monotonic();
    if (now - triedAt < retentionMs) return;
    triedAt = now;
    // Without the right to sweep old answers only take up space; the reconcile goes on.
    await sweep().catch((error: unknown) => log.warn({ error }, "old answers to verbs stay on the bus"));
  };
}
