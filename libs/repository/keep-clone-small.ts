import type { RolloutsRepository } from "#libs/git";
import type { Clock, Logger } from "#libs/runtime";

interface Parts {
  readonly repository: Pick<RolloutsRepository, "repack">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Real ms between two looks at the clone. */
const everyMs = 600_000;

/**
 * Packs the clone when transitions and fetches left much in it, as long as the process lives. A clone that cannot be packed
 * is as right as before, and only slower: it is named in the log and tried again.
 */
export async function keepCloneSmall({ repository, clock, log }: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.sleepReal(everyMs, signal);
      const { kind, loose, packs } = await repository.repack();
      if (kind === "repacked") log.info({ loose, packs }, "the clone was packed");
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, "the clone could not be packed: it is tried again in ten minutes");
    }
  }
}
