import type { Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

/**
 * Real ms before the next push after a failed one: the first time, and at most. Until then stops and rollbacks go on without
 * the ledger.
 */
const tryAgainMs = [10_000, 60_000] as const;

/** Whether the ledger accepts pushes, as far as this process saw. */
export interface LedgerHealth {
  /**
   * Why no transition is decided now: the last push failed and it is too early for the next, or a push has not ended. Empty =
   * neither.
   */
  describe(): Pick<Snapshot, "ledgerDown" | "ledgerSlow">;
  /** A push begins; `what` is the transition's sentence. */
  began(what: string): void;
  /** The push has ended, with or without success. */
  ended(): void;
  failed(why: string): void;
  worked(): void;
  /** Git answers again after an outage: the next push is allowed at once. */
  serverIsBack(): void;
}

export function createLedgerHealth(clock: Pick<Clock, "monotonic" | "now">): LedgerHealth {
  let trouble: { readonly why: string; readonly times: number; readonly dueAt: number } | undefined;
  let onItsWay: { readonly what: string; readonly since: string } | undefined;
  return {
    describe() {
      if (trouble !== undefined && (onItsWay !== undefined || clock.monotonic() < trouble.dueAt))
        return { ledgerDown: trouble.why };
      return onItsWay === undefined ? {} : { ledgerSlow: `no answer since ${onItsWay.since} (${onItsWay.what})` };
    },
    began(what) {
      onItsWay = { what, since: new Date(clock.now()).toISOString() };
    },
    ended() {
      onItsWay = undefined;
    },
    failed(why) {
      const times = (trouble?.times ?? 0) + 1;
      const [first, longest] = tryAgainMs;
      trouble = { why, times, dueAt: clock.monotonic() + Math.min(longest, first * 2 ** (times - 1)) };
    },
    worked() {
      trouble = undefined;
    },
    serverIsBack() {
      if (trouble !== undefined) trouble = { ...trouble, dueAt: clock.monotonic() };
    },
  };
}
