import type { Clock } from "#libs/runtime";

import type { RefusalCode } from "../judging/port.ts";

/** Why a head cannot be judged; `why` is a clause. */
export interface Refusal {
  readonly code: RefusalCode | "GitOverLimit";
  readonly why: string;
}

/** A refused head, and when it is tried again. */
export interface RefusedHead extends Refusal {
  /** Real monotonic ms. */
  readonly until: number;
  readonly tries: number;
}

/**
 * Time until the second try, real ms; it doubles with each refusal. The head is tried again because the cause may have been a
 * busy machine.
 */
const firstMs = 60_000;
const mostMs = 3_600_000;

/** Remembers heads that exceeded a limit, so that they are tried less and less often. */
export interface RefusedHeads {
  /** The refusal in force; undefined for a head that may be tried now. */
  find(headSha: string): RefusedHead | undefined;
  note(headSha: string, refusal: Refusal): RefusedHead;
  /** The head was judged without a refusal. */
  forget(headSha: string): void;
  /** Forgets heads without an open pull request. */
  retain(heads: ReadonlySet<string>): void;
}

export function createRefusedHeads(clock: Pick<Clock, "monotonic">): RefusedHeads {
  const known = new Map<string, RefusedHead>();
  return {
    find(headSha) {
      const refused = known.get(headSha);
      return refused !== undefined && clock.monotonic() < refused.until ? refused : undefined;
    },
    note(headSha, refusal) {
      const tries = (known.get(headSha)?.tries ?? 0) + 1;
      const restMs = Math.min(mostMs, firstMs * 2 ** (tries - 1));
      const refused = { ...refusal, tries, until: clock.monotonic() + restMs };
      known.set(headSha, refused);
      return refused;
    },
    forget: (headSha) => void known.delete(headSha),
    retain(heads) {
      for (const sha of known.keys()) if (!heads.has(sha)) known.delete(sha);
    },
  };
}
