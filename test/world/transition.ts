import { type RenderedReason, renderTransition } from "#libs/wording";
import { applyChange, type LedgerDecision, type LedgerState, type RunRecord, type StopRecord } from "#libs/plan";

/** A transition as a test wants to read it: with the ledger that it leaves. */
export interface Transition extends Omit<LedgerDecision, "reason"> {
  /** In words. */
  readonly reason: RenderedReason;
  readonly ledger: LedgerState;
  /** The first run that it changes; tests read it only of transitions that change one. */
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

/** The first stop that a transition places; undefined where it places none. */
export function findPlaced(decision: LedgerDecision | undefined): StopRecord | undefined {
  return decision?.change.stops?.find(({ step }) => step === "placed")?.stop;
}
