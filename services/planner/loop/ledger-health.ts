import type { Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

/**
 * A ledger that took no push is tried again after so long, real ms, the first time and at most: until then what stops and goes
 * back goes on without it.
 */
const tryAgainMs = [10_000, 60_000] as const;

/** Whether the ledger takes pushes, as far as this process saw. */
export interface LedgerHealth {
  /** What keeps transitions from being decided now: the last push failed and is not tried again yet, or one has no answer. */
  why(): Pick<Snapshot, "ledgerDown" | "ledgerSlow">;
  /** A push is on its way. */
  began(what: string): void;
  /** It has an answer, whichever. */
  ended(): void;
  failed(why: string): void;
  worked(): void;
  /** Git answers again after it was away: there is no reason to wait any longer. */
  serverIsBack(): void;
}

export function createLedgerHealth(clock: Pick<Clock, "monotonic" | "now">): LedgerHealth {
  let trouble: { readonly why: string; readonly times: number; readonly dueAt: number } | undefined;
  let onItsWay: { readonly what: string; readonly since: string } | undefined;
  return {
    why() {
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
