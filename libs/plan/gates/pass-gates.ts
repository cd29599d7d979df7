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
import { listGateStops, buildGateContext } from "./gate-context.ts";
import { isRollingBack } from "./is-rolling-back.ts";
import { evaluateGate } from "./evaluate-gate.ts";
import type { GateReading } from "./reading.ts";
import { planTally } from "./plan-tally.ts";
import { recordTally, recordVerdict, stopRun } from "./record-verdict.ts";

/** Whether a run may go on, by its gates. */
export type GateAnswer =
  | { readonly kind: "pass" }
  /** Push this first, then ask again. */
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

/** Unknown, or not known yet: who can make it known, and how to go on without. */
function waitFor(asked: Requested, gate: Gate, reading: GateReading): GateAnswer {
  const { verdict, found, until } = reading;
  // What holds one gate for want of evidence holds them all, and the bake: it is named once, at the run's end.
  const lacking = found.code === "TooFewWorkloads" ? findNoEvidence(asked.head, asked.view) : undefined;
  if (lacking !== undefined) return asked.moment === "during" ? passed : wait(lacking);
  const owner = nameRunOwner(asked.head, asked.view.run);
  if (verdict === "pending") return wait({ code: "GatePending", gate: gate.name, found, owner }, until);
  const file = findCampaign(asked.head, asked.view.run)?.file ?? "meshroll.yml";
  return wait({ code: "GateNoData", gate: gate.name, found, owner, file });
}

/** A failure is recorded, then stops; `notify` only notifies. */
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

/** Unknown is what the gate's `onNoData` says that it is. */
function heedNoData(gate: Gate, reading: GateReading): GateReading {
  if (reading.verdict !== "noData" || gate.onNoData === "hold") return reading;
  const verdict = gate.onNoData;
  return { ...reading, verdict, found: { ...reading.found, note: { kind: "onNoData", verdict } } };
}

function answerReading(asked: Requested, gate: Gate, reading: GateReading, tally?: GateTally): GateAnswer {
  const { snapshot, ledger, view } = asked;
  // Whatever becomes of it: a planner that starts goes on from here. A failure has it in its own record.
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
  const placed = listGateStops(ledger, id, gate.name).find(({ resume }) => resume === undefined);
  // Its verdict holds until a person ends it, whatever it would say by now.
  if (placed !== undefined) return wait(nameFailed(asked, placed.why));
  // Asked once: what moved since is another gate's matter.
  if (moment === "before" && lookUp(lookUp(ledger.runs, id)?.gates, gate.name)?.verdict === "pass") return passed;
  const context = buildGateContext(snapshot, ledger, head, view, moment, gate);
  return answerReading(asked, gate, heedNoData(gate, evaluateGate(gate, context)), planTally(gate, context));
}

/**
 * Asks the gates of one moment of a run whether it may go on. A new verdict comes first, as a record; then what a failure
 * stops; then the first wait. A rollback has no gates.
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
