import type { Clock } from "#libs/runtime";

import type { RefusalCode } from "../judging/port.ts";

/** Why a head cannot be judged; `why` is a clause. */
export interface Refusal {
  readonly code: RefusalCode | "GitOverLimit";
  readonly why: string;
}

/** A head that could not be judged, and when it is tried again. */
export interface RefusedHead extends Refusal {
  /** Real monotonic ms. */
  readonly until: number;
  readonly tries: number;
}

/** After the first refusal, real ms; doubled with each. A machine that was busy must not refuse a head for good. */
const firstMs = 60_000;
const mostMs = 3_600_000;

/** Remembers which heads cost their limits, so that they cost them seldom. */
export interface RefusedHeads {
  /** The refusal in force; undefined for a head that may be tried now. */
  find(headSha: string): RefusedHead | undefined;
  note(headSha: string, refusal: Refusal): RefusedHead;
  /** It was judged after all. */
  forget(headSha: string): void;
  /** Forgets heads that no open pull request has any more. */
  keep(heads: ReadonlySet<string>): void;
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
    keep(heads) {
      for (const sha of known.keys()) if (!heads.has(sha)) known.delete(sha);
    },
  };
}
