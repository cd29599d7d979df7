import type { KeyValue } from "#libs/bus";
import type { Clock, Logger } from "#libs/runtime";

/** An answer stays so long at the least, and twice as long at the most, real ms: no caller waits that long for one. */
const keptMs = 600_000;

/**
 * Sweeps answers to verbs that no caller waits for any more: there is one for each verb ever typed. What "old" is tells the
 * revision that the bucket had at the last sweep, so no clock has to agree with the server's. A request that comes again is
 * answered again: the ledger keeps what was said.
 */
export function createAnswerSweeper(status: KeyValue, clock: Clock, log: Logger): () => Promise<void> {
  let mark: number | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;

  async function sweep(): Promise<void> {
    // The planner writes it every few seconds: its revision is that of now.
    const revision = (await status.get("fleet"))?.revision;
    // A bucket that was wiped meanwhile counts from zero: all of it may be younger than the mark.
    if (mark !== undefined && revision !== undefined && mark <= revision) await status.sweep("answer.*", mark);
    mark = revision;
  }

  return async () => {
    const now = clock.monotonic();
    if (now - triedAt < keptMs) return;
    triedAt = now;
    // A bus user without this right costs room, not a reconcile.
    await sweep().catch((error: unknown) => log.warn({ error }, "old answers to verbs stay on the bus"));
  };
}
