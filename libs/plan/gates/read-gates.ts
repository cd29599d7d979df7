import { lookUp } from "#libs/input";
import type { GateRecord, LedgerState, RunRecord } from "../ledger-state.ts";
import { settingsOf } from "../run-settings.ts";
import type { RunView } from "../run-view.ts";
import type { Spec, World } from "../world.ts";
import { listGateStops, setGateScene } from "./gate-scene.ts";
import { isGateTime } from "./is-gate-time.ts";
import { isReturning } from "./is-returning.ts";
import { readGate } from "./read-gate.ts";
import { type GateReading, toRecord } from "./reading.ts";

/** What each gate of a run says now, by name; one whose time is not now says nothing. A return has none. */
export function readGates(
  world: World,
  ledger: LedgerState,
  head: Spec,
  view: RunView,
): ReadonlyMap<string, GateReading> {
  const { run } = view;
  if (isReturning(ledger, run)) return new Map();
  const gates = settingsOf(head, run).gates.filter(({ name, when }) => {
    // What it stopped the run for stands until a person lifts it.
    const isStopped = listGateStops(ledger, run.id, name).some(({ lift }) => lift === undefined);
    return !isStopped && isGateTime(when, head, view);
  });
  return new Map(
    gates.map((gate) => [gate.name, readGate(gate, setGateScene(world, ledger, head, view, gate.when, gate))]),
  );
}

/**
 * What every gate of a run said last, for the record that ends it: a pass is written nowhere else, so that the ledger has no
 * commit for each (rules 6.3). Empty for a run without gates, and for one that nobody is left of to be measured.
 */
export function closeGates(world: World, ledger: LedgerState, view: RunView): Pick<RunRecord, "gates"> {
  const head = world.specs.get(world.main.head);
  const run = lookUp(ledger.runs, view.run.id) ?? view.run;
  const said = head === undefined ? [] : [...readGates(world, ledger, head, view)];
  const last = said.map(([name, reading]): readonly [string, GateRecord] => [name, toRecord(reading, world.now)]);
  return last.length === 0 ? {} : { gates: { ...run.gates, ...Object.fromEntries(last) } };
}
