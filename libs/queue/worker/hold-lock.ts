import type { Clock } from "#libs/runtime";

/** The lock on a job, as far as this worker can prove that it has it. */
export interface Hold {
  readonly signal: AbortSignal;
  holdsLock(): boolean;
  /** Aborts the signal: nothing may be written after. */
  lose(why: string): void;
  /** Ends the renewals. */
  end(): void;
}

/** The lock's own time, real ms: Redis gives the job to another worker after it. */
export const lockMs = 5_000;
const renewEveryMs = 1_500;
/** Less than the lock's time, so that we stop before another one can start. */
const provenForMs = 4_000;
const reconcileEveryMs = 200;
const retryMs = 250;

/**
 * Renews a lock until `end`, and loses it when a renewal is refused or none has succeeded for 4 s. The proof counts from
 * when a renewal was sent: its answer may have been long on its way. Undefined when the first one is refused.
 */
export async function holdLock(renew: () => Promise<boolean>, clock: Clock): Promise<Hold | undefined> {
  const lost = new AbortController();
  const ended = new AbortController();
  const over = AbortSignal.any([lost.signal, ended.signal]);
  let provenAt = clock.monotonic();
  // An error is no proof either.
  if (!(await renew().catch(() => false))) return undefined;

  const isProven = () => clock.monotonic() - provenAt <= provenForMs;
  const lose = (why: string) => lost.abort(new Error(why));

  async function keepRenewing(): Promise<void> {
    let pauseMs = renewEveryMs;
    for (;;) {
      await clock.sleepReal(pauseMs, over);
      const sentAt = clock.monotonic();
      try {
        if (!(await renew())) lose("the lock on the batch was given away");
        provenAt = sentAt;
        pauseMs = renewEveryMs;
      } catch {
        // Redis does not answer: the other loop knows for how long that can be borne.
        pauseMs = retryMs;
      }
    }
  }

  async function keepLooking(): Promise<void> {
    for (;;) {
      await clock.sleepReal(reconcileEveryMs, over);
      if (!isProven()) lose(`the lock on the batch could not be renewed for ${provenForMs} ms`);
    }
  }

  // Both end by the rejection of their sleep.
  void keepRenewing().catch(() => undefined);
  void keepLooking().catch(() => undefined);
  return {
    signal: lost.signal,
    // A process that was frozen asks before its timers have run.
    holdsLock: () => !over.aborted && isProven(),
    lose,
    end: () => ended.abort(),
  };
}
