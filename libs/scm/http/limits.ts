import { AsyncLocalStorage } from "node:async_hooks";

import { createBan } from "./ban.ts";
import type { ScmName } from "./classify.ts";
import { createReserve } from "./reserve.ts";

/** What GitHub allows a token, as its answers say. */
export interface Limits {
  /** Throws `ScmUnavailable` during a ban, and for a call that is not urgent also while little is left. */
  requireLeave(doing: string): void;
  /** Before each request: a call that was begun sends nothing in a ban either. */
  readonly requireNoBan: () => void;
  startBan(ms: number): void;
  readonly noteAnswer: (headers: Headers) => void;
  /** All calls that the work makes, or has others make, are urgent. */
  readonly urgently: <T>(work: () => Promise<T>) => Promise<T>;
}

/** `monotonic`: ms of a clock that never goes back; default: this machine's. */
export function createLimits(scm: ScmName, monotonic: () => number = () => performance.now()): Limits {
  const [ban, reserve] = [createBan(scm, monotonic), createReserve(scm, monotonic)];
  const urgent = new AsyncLocalStorage<true>();
  return {
    requireLeave(doing) {
      if (urgent.getStore() === true) return ban.requireNone(doing);
      ban.requireOver(doing);
      return reserve.requireMore(doing);
    },
    requireNoBan: () => ban.requireNone("a request"),
    startBan: (ms) => ban.start(ms),
    noteAnswer: (headers) => reserve.note(headers),
    urgently: async (work) => urgent.run(true, work),
  };
}
