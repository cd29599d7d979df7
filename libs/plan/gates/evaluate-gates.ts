import { lookUp } from "#libs/input";

import type { GateRecord, LedgerState, RunRecord, Snapshot, Spec } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import type { RunView } from "../index/index.ts";
import { findGateStop, buildGateContext } from "./gate-context.ts";
import { isGateTime } from "./is-gate-time.ts";
import { isRollingBack } from "./is-rolling-back.ts";
import { evaluateGate } from "./evaluate-gate.ts";
import { type GateReading, toRecord } from "./reading.ts";

/** The present result of each gate of a run, by name, without those of another moment. A rollback has none. */
export function evaluateGates(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  view: RunView,
): ReadonlyMap<string, GateReading> {
  const { run } = view;
  if (isRollingBack(ledger, run)) return new Map();
  const gates = settingsOf(head, run).gates.filter(({ name, when }) => {
    // Its failure stands until a person ends the stop.
    return findGateStop(ledger, run.id, name) === undefined && isGateTime(when, head, view);
  });
  return new Map(
    gates.map((gate) => [
      gate.name,
      evaluateGate(gate, buildGateContext(snapshot, ledger, head, view, gate.when, gate)),
    ]),
  );
}

/**
 * The last result of every gate, for the record of the run's end: a pass is recorded only there, so that the ledger has no
 * commit for each (rules 6.3). Empty for a run without gates, or without a workload to measure.
 */
export function closeGates(snapshot: Snapshot, ledger: LedgerState, view: RunView): Pick<RunRecord, "gates"> {
  const head = snapshot.specs.get(snapshot.main.head);
  const run = lookUp(ledger.runs, view.run.id) ?? view.run;
  const said = head === undefined ? [] : [...evaluateGates(snapshot, ledger, head, view)];
  const last = said.map(([name, reading]): readonly [string, GateRecord] => [name, toRecord(reading, snapshot.now)]);
  return last.length === 0 ? {} : { gates: { ...run.gates, ...Object.fromEntries(last) } };
}
