import type { Heads } from "#libs/git";
import { GitUnavailable } from "#libs/git";
import type { Clock, Logger } from "#libs/runtime";

export interface PushTrial {
  /** What the clone has; undefined before the first fetch. */
  readonly recall: () => Promise<Heads | undefined>;
  /** Tries a push of a commit without pushing. Throws when it is refused, or without an answer. */
  readonly probe: (commit: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Real ms between two tries while git does not answer, or nothing was fetched yet. */
const retryMs = 10_000;

/** True when the token may push; undefined while that cannot be told. */
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
 * Warns, once, of a git token that may push: an executor only reads, and runs in clusters whose administrators are not those of
 * the repository. Ends when it is reported, or at the signal.
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
