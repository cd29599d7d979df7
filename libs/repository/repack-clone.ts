import type { RolloutsRepository } from "#libs/git";
import type { Clock, Logger } from "#libs/runtime";

interface Parts {
  readonly repository: Pick<RolloutsRepository, "repack">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Ms between two checks, real time. */
const checkEveryMs = 600_000;

/**
 * Packs the clone whenever it holds many loose objects, until `signal` aborts. A failure only leaves the clone slower, so it is
 * logged and tried again.
 */
export async function repackRegularly({ repository, clock, log }: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.sleepReal(checkEveryMs, signal);
      const { kind, loose, packs } = await repository.repack();
      if (kind === "repacked") log.info({ loose, packs }, "the clone was packed");
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, "the clone could not be packed: it is tried again in ten minutes");
    }
  }
}
