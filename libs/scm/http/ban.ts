import { ScmUnavailable } from "../port/errors.ts";
import type { ScmName } from "./classify.ts";

/** After a ban only urgent calls may be made for so long, ms: a rollback is opened, checked and merged in half of it. */
const headStartMs = 30_000;

/** The time in which GitHub told us to send nothing. */
export interface Ban {
  /** Throws `ScmUnavailable` during a ban. */
  requireNone(doing: string): void;
  /** The same, also for a moment after a ban, in which urgent calls go first. */
  requireOver(doing: string): void;
  start(ms: number): void;
}

/** GitHub prolongs a ban when requests arrive in it, so it is remembered here, by a clock that never goes back. */
export function createBan(scm: ScmName, monotonic: () => number): Ban {
  let until = -Infinity;

  function requireNone(doing: string): void {
    const left = Math.ceil(until - monotonic());
    if (left <= 0) return;
    const message = `${doing} waits: ${scm}'s rate limit is used up for ${Math.ceil(left / 1000)} s`;
    throw new ScmUnavailable(message, { retryAfterMs: left });
  }

  return {
    requireNone,
    requireOver(doing) {
      requireNone(doing);
      const left = Math.ceil(until + headStartMs - monotonic());
      if (left <= 0) return;
      const message = `${doing} waits ${Math.ceil(left / 1000)} s: urgent calls go first after ${scm}'s rate limit`;
      throw new ScmUnavailable(message, { retryAfterMs: left, kept: { kind: "headStart" } });
    },
    start(ms) {
      until = Math.max(until, monotonic() + ms);
    },
  };
}
