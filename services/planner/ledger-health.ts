import type { Clock } from "#libs/runtime";

/** A ledger that took no push is tried again after so long, real ms: until then what stops and goes back goes on without it. */
const tryAgainMs = 10_000;

/** Whether the ledger takes pushes, as far as this process saw. */
export interface LedgerHealth {
  /** Why the last push failed, while it is not tried again. */
  why(): string | undefined;
  failed(why: string): void;
  worked(): void;
}

export function createLedgerHealth(clock: Pick<Clock, "monotonic">): LedgerHealth {
  let trouble: { readonly why: string; readonly at: number } | undefined;
  return {
    why: () => (trouble !== undefined && clock.monotonic() - trouble.at < tryAgainMs ? trouble.why : undefined),
    failed(why) {
      trouble = { why, at: clock.monotonic() };
    },
    worked() {
      trouble = undefined;
    },
  };
}
