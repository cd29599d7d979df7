/** Pause after the first refusal of a write, real ms; it doubles with each further one, up to the longest. */
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * Writes that the API server refused, a move or an undo. Only a person fixes that, so they are tried less and less often.
 * `about` says what the write is for; times are real monotonic ms.
 */
export interface Refusals {
  note(about: string, now: number): void;
  clear(about: string): void;
  isDue(about: string, now: number): boolean;
  /** Those whose pause is not over. */
  listHeld(now: number): ReadonlySet<string>;
  /** Forgets the refusals that `isKnown` returns false for. */
  retain(isKnown: (about: string) => boolean): void;
}

export function createRefusals(): Refusals {
  const refused = new Map<string, { readonly times: number; readonly dueAt: number }>();
  return {
    note(about, now) {
      const times = (refused.get(about)?.times ?? 0) + 1;
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (times - 1));
      refused.set(about, { times, dueAt: now + pauseMs });
    },
    clear: (about) => void refused.delete(about),
    isDue: (about, now) => (refused.get(about)?.dueAt ?? now) <= now,
    listHeld: (now) => new Set([...refused].flatMap(([about, { dueAt }]) => (dueAt <= now ? [] : [about]))),
    retain(isKnown) {
      for (const about of refused.keys()) if (!isKnown(about)) refused.delete(about);
    },
  };
}
