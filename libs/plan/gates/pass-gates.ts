import { lookUp } from "#libs/input";
import type { Gate, GateMoment } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import {
  type GateTally,
  type LedgerDecision,
  type LedgerState,
  printTime,
  type Snapshot,
  type Spec,
} from "../records/index.ts";
import { findNoEvidence } from "../conditions/index.ts";
import { findCampaign, nameRunOwner, settingsOf } from "../main/index.ts";
import { listFailures, type RunView } from "../index/index.ts";
import { findGateStop, buildGateContext } from "./gate-context.ts";
import { isRollingBack } from "./is-rolling-back.ts";
import { evaluateGate } from "./evaluate-gate.ts";
import type { GateReading } from "./reading.ts";
import { planTally } from "./plan-tally.ts";
import { recordTally, recordVerdict, stopRun } from "./record-verdict.ts";

/** Whether a run may go on by its gates. */
export type GateAnswer =
  | { readonly kind: "pass" }
  /** Record this first, then ask again. */
  | { readonly kind: "record"; readonly decision: LedgerDecision }
  | { readonly kind: "wait"; readonly reason: Reason };

interface Requested {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly view: RunView;
  readonly moment: GateMoment;
}

const passed: GateAnswer = { kind: "pass" };

function wait(reason: Reason, until?: number): GateAnswer {
  return { kind: "wait", reason: until === undefined ? reason : { ...reason, until: printTime(until) } };
}

/** The wait for an unknown result: who can change it, and how to continue without. */
function waitFor(asked: Requested, gate: Gate, reading: GateReading): GateAnswer {
  const { verdict, found, until } = reading;
  // Lack of evidence holds all gates and the bake; it is named once, at the run's end.
  const lacking = found.code === "TooFewWorkloads" ? findNoEvidence(asked.head, asked.view) : undefined;
  if (lacking !== undefined) return asked.moment === "during" ? passed : wait(lacking);
  const owner = nameRunOwner(asked.head, asked.view.run);
  if (verdict === "pending") return wait({ code: "GatePending", gate: gate.name, found, owner }, until);
  const file = findCampaign(asked.head, asked.view.run)?.file ?? "meshroll.yml";
  return wait({ code: "GateNoData", gate: gate.name, found, owner, file });
}

/** A failure is recorded, then stops the run; `notify` only notifies. */
function followFailure(
  { snapshot, ledger, view }: Requested,
  gate: Gate,
  reading: GateReading,
  tally?: GateTally,
): GateAnswer {
  const recording = recordVerdict(snapshot, ledger, view, gate, reading, tally);
  if (recording !== undefined) return { kind: "record", decision: recording };
  if (gate.onFail === "notify") return passed;
  return { kind: "record", decision: stopRun(snapshot, ledger, view, gate, reading) };
}

/** Turns an unknown result into the verdict of the gate's `onNoData`. */
function applyOnNoData(gate: Gate, reading: GateReading): GateReading {
  if (reading.verdict !== "noData" || gate.onNoData === "hold") return reading;
  const verdict = gate.onNoData;
  return { ...reading, verdict, found: { ...reading.found, note: { kind: "onNoData", verdict } } };
}

function answerReading(asked: Requested, gate: Gate, reading: GateReading, tally?: GateTally): GateAnswer {
  const { snapshot, ledger, view } = asked;
  // A tally is recorded, so that a new planner continues from it. A failure's own record contains it.
  if (tally !== undefined && reading.verdict !== "fail")
    return { kind: "record", decision: recordTally(snapshot, ledger, view, gate, tally) };
  switch (reading.verdict) {
    case "fail":
      return followFailure(asked, gate, reading, tally);
    case "noData":
    case "pending":
      return waitFor(asked, gate, reading);
    case "pass": {
      const decision = recordVerdict(asked.snapshot, asked.ledger, asked.view, gate, reading);
      return decision === undefined ? passed : { kind: "record", decision };
    }
  }
}

function nameFailed(asked: Requested, why: string): Reason {
  const { id, campaign } = asked.view.run;
  const hasFailed = listFailures(asked.view, new Set()).workloads.length > 0;
  const own = { code: "GateFailed", run: id, why, owner: nameRunOwner(asked.head, asked.view.run), hasFailed } as const;
  return campaign === undefined ? own : { ...own, campaign };
}

function passGate(asked: Requested, gate: Gate): GateAnswer {
  const { snapshot, ledger, head, view, moment } = asked;
  const { id } = view.run;
  const placed = findGateStop(ledger, id, gate.name);
  // Its verdict stands until a person ends the stop, whatever it measures now.
  if (placed !== undefined) return wait(nameFailed(asked, placed.why));
  // Evaluated once: later moves are measured by other gates.
  if (moment === "before" && lookUp(lookUp(ledger.runs, id)?.gates, gate.name)?.verdict === "pass") return passed;
  const context = buildGateContext(snapshot, ledger, head, view, moment, gate);
  return answerReading(asked, gate, applyOnNoData(gate, evaluateGate(gate, context)), planTally(gate, context));
}

/**
 * Whether a run may go on by its gates of one moment. A new verdict is recorded first; then a failure stops; then the first
 * wait counts. A rollback has no gates.
 */
export function passGates(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  view: RunView,
  moment: GateMoment,
): GateAnswer {
  const asked: Requested = { snapshot, ledger, head, view, moment };
  if (isRollingBack(ledger, view.run)) return passed;
  const gates = settingsOf(head, view.run).gates.filter(({ when }) => when === moment);
  const answers = gates.map((gate) => passGate(asked, gate));
  return answers.find(({ kind }) => kind === "record") ?? answers.find(({ kind }) => kind === "wait") ?? passed;
}
