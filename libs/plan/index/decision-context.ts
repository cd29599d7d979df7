import type { LedgerState, Snapshot, Spec } from "../records/index.ts";
import { type ActiveStop, collectStops } from "../stops/index.ts";
import { type Evaluation, evaluateFleet } from "./evaluate-fleet.ts";

/** Everything that steps look at, once main and the ledger are known to be good. */
export interface DecisionContext {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly evaluation: Evaluation;
  /** From all four places. */
  readonly stops: readonly ActiveStop[];
}

/** The state of every workload by the files of this commit; undefined while they were not read. */
export function buildContext(snapshot: Snapshot, ledger: LedgerState, commit: string): DecisionContext | undefined {
  const spec = snapshot.specs.get(commit);
  if (spec === undefined) return undefined;
  const stops = collectStops(ledger, snapshot.requests, snapshot.clusters.values(), {
    head: spec,
    specs: snapshot.specs,
  });
  return { snapshot, ledger, head: spec, evaluation: evaluateFleet(snapshot, spec), stops };
}
