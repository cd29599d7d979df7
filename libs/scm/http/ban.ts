import { ScmUnavailable } from "../port/errors.ts";
import type { ScmName } from "./classify.ts";

/** The time in which GitHub told us to send nothing. */
export interface Ban {
  /** Throws `ScmUnavailable` during a ban. */
  requireNone(doing: string): void;
  start(ms: number): void;
}

/** GitHub prolongs a ban when requests arrive in it, so it is remembered here, by a clock that never goes back. */
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
