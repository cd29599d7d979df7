import type { Heads } from "#libs/git";
import { GitUnavailable } from "#libs/git";
import type { Clock, Logger } from "#libs/runtime";

export interface PushTrial {
  /** The heads in the clone; undefined before the first fetch. */
  readonly recall: () => Promise<Heads | undefined>;
  /**
   * Asks the server whether a push of this commit would be accepted, without pushing. Throws when it is refused or not
   * answered.
   */
  readonly probe: (commit: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Real ms between two tries while git does not answer, or before the first fetch. */
const retryMs = 10_000;

/** Whether the token may push; undefined while that is unknown. */
async function mayPush({ recall, probe }: PushTrial): Promise<boolean | undefined> {
  try {
    const heads = await recall();
    if (heads === undefined) return undefined;
    await probe(heads.main);
    return true;
  } catch (error) {
    return error instanceof GitUnavailable ? undefined : false;
  }
}

/**
 * Warns once when the git token may push: an executor only reads, and its cluster's administrators need not be the
 * repository's. Returns when the answer is known, or at the signal.
 */
export async function warnOfPush(trial: PushTrial, signal: AbortSignal): Promise<void> {
  const { clock, log } = trial;
  while (!signal.aborted) {
    const may = await mayPush(trial);
    if (may === true) {
      const fix = "give it one that only reads: MESHROLL_GIT_READ_TOKEN in .env, or the Secret of the manifest";
      log.warn({ code: "GitTokenMayPush", owner: "the platform team", fix }, "the executor's git token may push");
    }
    if (may !== undefined) return;
    await clock.sleepReal(retryMs, signal).catch(() => undefined);
  }
}
