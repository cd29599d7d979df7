import { ScmUnavailable } from "../port/errors.ts";
import type { ScmName } from "./classify.ts";

/** The time in which GitHub told us to send nothing. */
export interface Ban {
  /** Throws `ScmUnavailable` while it lasts. */
  requireNone(doing: string): void;
  start(ms: number): void;
}

/** Requests sent during a ban make it longer, so it is kept here, on real time that never decreases. */
export function createBan(scm: ScmName, monotonic: () => number = () => performance.now()): Ban {
  let until = -Infinity;
  return {
    requireNone(doing) {
      const left = Math.ceil(until - monotonic());
      if (left <= 0) return;
      const message = `${doing} waits: ${scm}'s rate limit is used up for ${Math.ceil(left / 1000)} s`;
      throw new ScmUnavailable(message, { retryAfterMs: left });
    },
    start(ms) {
      until = Math.max(until, monotonic() + ms);
    },
  };
}
