import { lookUp } from "#libs/input";

import type { GateRecord, LedgerState, RunRecord, Snapshot, Spec } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import type { RunView } from "../index/index.ts";
import { findGateStop, buildGateContext } from "./gate-context.ts";
import { isGateTime } from "./is-gate-time.ts";
import { isRollingBack } from "./is-rolling-back.ts";
import { evaluateGate } from "./evaluate-gate.ts";
import { type GateReading, toRecord } from "./reading.ts";

/**
 * The present result of each gate of a run, by name, without those of another moment. A rollback has none. A failure stands until
 * a person ends its stop: with its present figures while it still fails, else as it is recorded.
 */
export function evaluateGates(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  view: RunView,
): ReadonlyMap<string, GateReading> {
  const { run } = view;
  if (isRollingBack(ledger, run)) return new Map();
  const gates = settingsOf(head, run).gates.filter(({ when }) => isGateTime(when, head, view));
  return new Map(
    gates.flatMap((gate): readonly (readonly [string, GateReading])[] => {
      const reading = evaluateGate(gate, buildGateContext(snapshot, ledger, head, view, gate.when, gate));
      const isRecorded = reading.verdict !== "fail" && findGateStop(ledger, run.id, gate.name) !== undefined;
      return isRecorded ? [] : [[gate.name, reading]];
    }),
  );
}

/**
 * The last result of every gate, for the record of the run's end: a pass is recorded only there, so that the ledger has no
 * commit for each (rules 6.3). Empty for a run without gates, or without a workload to measure.
 */
export function closeGates(snapshot: Snapshot, ledger: LedgerState, view: RunView): Pick<RunRecord, "gates"> {
  const head = snapshot.specs.get(snapshot.main.head);
  const run = lookUp(ledger.runs, view.run.id) ?? view.run;
  // A failure that stands is recorded already.
  const said =
    head === undefined
      ? []
      : [...evaluateGates(snapshot, ledger, head, view)].filter(
          ([name]) => findGateStop(ledger, run.id, name) === undefined,
        );
  const last = said.map(([name, reading]): readonly [string, GateRecord] => [name, toRecord(reading, snapshot.now)]);
  return last.length === 0 ? {} : { gates: { ...run.gates, ...Object.fromEntries(last) } };
}
