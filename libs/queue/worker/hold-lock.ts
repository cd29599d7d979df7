import type { Clock } from "#libs/runtime";

/** The lock on a job, as far as this worker can prove it. */
export interface Hold {
  readonly signal: AbortSignal;
  holdsLock(): boolean;
  /** Aborts the signal: nothing may be written afterwards. */
  lose(why: string): void;
  /** Ends the renewals. */
  end(): void;
}

/** The lock's duration, real ms: afterwards Redis gives the job to another worker. */
export const lockMs = 5_000;
const renewEveryMs = 1_500;
/** Shorter than the lock, so that this worker stops before another one can start. */
const provenForMs = 4_000;
const checkEveryMs = 200;
const retryMs = 250;

/**
 * Renews a lock until `end`, and loses it when a renewal is refused or none has succeeded for 4 s. The time counts from when a
 * renewal was sent, because its answer may be late. Undefined when the first renewal is refused.
 */
export async function holdLock(renew: () => Promise<boolean>, clock: Clock): Promise<Hold | undefined> {
  const lost = new AbortController();
  const ended = new AbortController();
  const over = AbortSignal.any([lost.signal, ended.signal]);
  let provenAt = clock.monotonic();
  // After an error the lock is not proven either.
  if (!(await renew().catch(() => false))) return undefined;

  const isProven = () => clock.monotonic() - provenAt <= provenForMs;
  const lose = (why: string) => lost.abort(new Error(why));

  async function renewAlways(): Promise<void> {
    let pauseMs = renewEveryMs;
    for (;;) {
      await clock.sleepReal(pauseMs, over);
      const sentAt = clock.monotonic();
      try {
        if (!(await renew())) lose("the lock on the batch was given away");
        provenAt = sentAt;
        pauseMs = renewEveryMs;
      } catch {
        // Redis does not answer; the other loop limits for how long.
        pauseMs = retryMs;
      }
    }
  }

  async function checkAlways(): Promise<void> {
    for (;;) {
      await clock.sleepReal(checkEveryMs, over);
      if (!isProven()) lose(`the lock on the batch could not be renewed for ${provenForMs} ms`);
    }
  }

  // Both loops end when their sleep is aborted.
  void renewAlways().catch(() => undefined);
  void checkAlways().catch(() => undefined);
  return {
    signal: lost.signal,
    // After a pause of the process this is asked before its timers run.
    holdsLock: () => !over.aborted && isProven(),
    lose,
    end: () => ended.abort(),
  };
}
