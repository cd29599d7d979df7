import type { ControlState } from "#libs/events";

/** Since when `state` claims a ledger that this planner does not have, and whether git was read since. */
export interface Claim {
  /** Real ms since the claim was first seen. */
  readonly ageMs: number;
  /** Main and ledger were fetched after that. */
  readonly isFetched: boolean;
  /** It was found to be false before. */
  readonly isKnown: boolean;
}

/** Copies of a git server may lag behind a push by another planner: so long a claim is believed, real ms. */
const claimLimitMs = 15_000;

/** Says what we say, but for its beat and its writer: another planner, or we. */
function isSame(state: ControlState, own: ControlState): boolean {
  const { ledger, main, seeded, sequence } = own;
  const isLedger = state.ledger === ledger && state.sequence === sequence;
  const isTrusted = state.ledgerDoubt === own.ledgerDoubt;
  return isLedger && isTrusted && state.main === main && state.seeded === seeded;
}

/** Claims to know a transition that we do not have: only then may another planner be ahead of this one. */
export function isClaim(state: ControlState, own: ControlState): boolean {
  return state.ledger !== undefined && state.ledger !== own.ledger && state.sequence > own.sequence;
}

/**
 * What is to become of the `state` that stands in KV control: `keep` what says the same, `wait` for git to show what it
 * claims, `write` over all else. A ledger that git does not have after a fetch was not named by a process that pushed one.
 */
export function judgeControl(
  state: ControlState | undefined,
  own: ControlState,
  claim: Claim,
): "keep" | "wait" | "write" | "replace" {
  if (state === undefined) return "write";
  if (isSame(state, own)) return "keep";
  if (!isClaim(state, own)) return "write";
  return claim.isKnown || (claim.isFetched && claim.ageMs >= claimLimitMs) ? "replace" : "wait";
}
