import { type RenderedReason, renderTransition } from "#libs/wording";
import { applyChange, type LedgerDecision, type LedgerState, type RunRecord, type StopRecord } from "#libs/plan";

/** A transition with its reason in words, and the ledger that it leads to. */
export interface Transition extends Omit<LedgerDecision, "reason"> {
  /** Rendered in words. */
  readonly reason: RenderedReason;
  readonly ledger: LedgerState;
  /** The first run that it changes; only for transitions that change one. */
  readonly run: RunRecord;
  /** Ids of the stops that it changes. */
  readonly stops: readonly string[];
}

export function readTransition(ledger: LedgerState, decision: LedgerDecision): Transition {
  const { runs = [], stops = [] } = decision.change;
  return {
    ...decision,
    reason: renderTransition(decision.reason),
    ledger: applyChange(ledger, decision.change),
    run: runs[0]?.run as RunRecord,
    stops: stops.map(({ stop }) => stop.id),
  };
}

/** The first stop that a transition places; undefined if none. */
export function findPlaced(decision: LedgerDecision | undefined): StopRecord | undefined {
  return decision?.change.stops?.find(({ step }) => step === "placed")?.stop;
}
