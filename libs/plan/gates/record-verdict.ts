import { lookUp } from "#libs/input";
import type { Gate } from "#libs/campaign";
import { planner, printStopCause, type TransitionReasonOf } from "#libs/wording";

import {
  type GateRecord,
  type GateTally,
  type LedgerDecision,
  type LedgerState,
  printTime,
  type RunRecord,
  type Snapshot,
  type StopRecord,
} from "../records/index.ts";
import type { RunView } from "../index/index.ts";
import { numberNextStop } from "../stops/index.ts";
import { changeRun, placeStop } from "../transitions/index.ts";
import { findResume } from "./gate-context.ts";
import { listUnforgiven } from "./sources/evaluate-restart-health.ts";
import { type GateReading, toRecord } from "./reading.ts";

/** It failed, a person ended its stop, and it has had no result since. */
function wasForgiven(ledger: LedgerState, run: string, gate: string, { at }: GateRecord): boolean {
  const resume = findResume(ledger, run, gate);
  return resume !== undefined && at <= resume.at;
}

/**
 * Whether the verdict differs from the ledger's. A pass needs no record except where it lets a run begin; a failure after a
 * resume is recorded again.
 */
function isNews(ledger: LedgerState, run: RunRecord, gate: Gate, { verdict }: GateReading): boolean {
  const recorded = lookUp(run.gates, gate.name);
  if (recorded === undefined) return verdict === "fail" || (verdict === "pass" && gate.when === "before");
  if (verdict !== "pass" && verdict !== "fail") return false;
  return verdict !== recorded.verdict || (verdict === "fail" && wasForgiven(ledger, run.id, gate.name, recorded));
}

/** The run with a gate's tally. */
function keepTally(run: RunRecord, gate: Gate, tally: GateTally | undefined): RunRecord {
  return tally === undefined ? run : { ...run, measured: { ...run.measured, [gate.name]: tally } };
}

function readCount(gate: Gate, { bad, lowSince }: GateTally): TransitionReasonOf<"GateCounted">["counted"] {
  return gate.kind === "prometheus" ? { bad: bad?.length ?? 0, failureLimit: gate.failureLimit } : { lowSince };
}

/** A gate's tally before it becomes a verdict (rules 6.3). */
export function recordTally(
  snapshot: Snapshot,
  ledger: LedgerState,
  view: RunView,
  gate: Gate,
  tally: GateTally,
): LedgerDecision {
  const run = keepTally(lookUp(ledger.runs, view.run.id) ?? view.run, gate, tally);
  const change = changeRun(snapshot, ledger, run, { kind: "gateCounted", gate: gate.name });
  const counted = readCount(gate, tally);
  return { kind: "countGate", change, reason: { code: "GateCounted", gate: gate.name, run: run.id, counted } };
}

/**
 * Records a changed verdict (rules 6.3) with its tally, so that a planner that is killed before it places the stop finds the
 * same verdict again.
 */
export function recordVerdict(
  snapshot: Snapshot,
  ledger: LedgerState,
  view: RunView,
  gate: Gate,
  reading: GateReading,
  tally?: GateTally,
): LedgerDecision | undefined {
  const run = lookUp(ledger.runs, view.run.id) ?? view.run;
  if (!isNews(ledger, run, gate, reading)) return undefined;
  const gates = { ...run.gates, [gate.name]: toRecord(reading, snapshot.now) };
  const judged = { ...keepTally(run, gate, tally), gates };
  const change = changeRun(snapshot, ledger, judged, { kind: "gateJudged", gate: gate.name });
  const code = reading.verdict === "pass" ? "GatePassed" : "GateFailed";
  return { kind: "judgeGate", change, reason: { code, gate: gate.name, run: run.id, found: reading.found } };
}

/** A failure stops the run; `resume` ends the stop, and a rollback follows where the gate's `onFail` says so. */
export function stopRun(
  snapshot: Snapshot,
  ledger: LedgerState,
  view: RunView,
  gate: Gate,
  { found }: GateReading,
): LedgerDecision {
  const scope = `run/${view.run.id}` as const;
  const stop: StopRecord = {
    id: `gate-${view.run.id}-${numberNextStop(ledger, scope)}`,
    scope,
    strength: "move",
    at: printTime(snapshot.now),
    who: planner,
    why: printStopCause({ code: "GateFailed", gate: gate.name, found }),
    cause: "gate",
    gate: gate.name,
    // Named, so that they do not count again after a person has ended the stop (rules 3.3).
    ...(gate.kind === "restartHealth" ? { failures: listUnforgiven(ledger, view) } : {}),
  };
  return placeStop(snapshot, ledger, stop);
}
