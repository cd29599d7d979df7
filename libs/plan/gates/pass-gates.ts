import { lookUp } from "#libs/input";
import type { Gate, GateMoment } from "#libs/campaign";

import type { LedgerDecision, Reason } from "../decision.ts";
import { printTime } from "../iso-time.ts";
import type { GateTally, LedgerState } from "../ledger-state.ts";
import { findCampaign, settingsOf } from "../run-settings.ts";
import type { RunView } from "../run-view.ts";
import type { Spec, World } from "../world.ts";
import { listGateStops, setGateScene } from "./gate-scene.ts";
import { isReturning } from "./is-returning.ts";
import { readGate } from "./read-gate.ts";
import type { GateReading } from "./reading.ts";
import { planTally } from "./plan-tally.ts";
import { recordTally, recordVerdict, stopRun } from "./record-verdict.ts";

/** Whether a run may go on, by its gates. */
export type GateAnswer =
  | { readonly kind: "pass" }
  /** Push this first, then ask again. */
  | { readonly kind: "record"; readonly decision: LedgerDecision }
  | { readonly kind: "wait"; readonly reason: Reason };

interface Asked {
  readonly world: World;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly view: RunView;
  readonly moment: GateMoment;
}

const passed: GateAnswer = { kind: "pass" };

function nameOwner({ head, view: { run } }: Asked): string {
  const campaign = findCampaign(head, run);
  if (campaign === undefined) return run.author;
  return campaign.owners.length === 0 ? `whoever answers for campaign ${campaign.name}` : campaign.owners.join(", ");
}

function wait(code: string, message: string, owner: string, command: string, until?: number): GateAnswer {
  const reason = { code, message, owner, command };
  return { kind: "wait", reason: until === undefined ? reason : { ...reason, until: printTime(until) } };
}

/** Unknown, or not known yet: who can make it known, and how to go on without. */
function waitFor(asked: Asked, gate: Gate, reading: GateReading): GateAnswer {
  const { verdict, why, until, owner = nameOwner(asked) } = reading;
  const { run } = asked.view;
  if (verdict === "pending")
    return wait("GatePending", `gate ${gate.name} cannot say yet: ${why}`, owner, "meshroll status", until);
  const file = findCampaign(asked.head, run)?.file ?? "meshroll.yml";
  const without = `to go on without it merge onNoData: pass for this gate into ${file}`;
  return wait("GateNoData", `gate ${gate.name} knows nothing: ${why}; ${without}`, owner, `meshroll validate ${file}`);
}

/** A failure is recorded, then stops; `notify` only tells. */
function followFailure(
  { world, ledger, view }: Asked,
  gate: Gate,
  reading: GateReading,
  tally?: GateTally,
): GateAnswer {
  const recording = recordVerdict(world, ledger, view, gate, reading, tally);
  if (recording !== undefined) return { kind: "record", decision: recording };
  if (gate.onFail === "notify") return passed;
  return { kind: "record", decision: stopRun(world, ledger, view, gate, reading) };
}

/** Unknown is what the gate's `onNoData` says that it is. */
function heedNoData(gate: Gate, reading: GateReading): GateReading {
  if (reading.verdict !== "noData" || gate.onNoData === "hold") return reading;
  return { ...reading, verdict: gate.onNoData, why: `${reading.why} (onNoData: ${gate.onNoData})` };
}

function answerReading(asked: Asked, gate: Gate, reading: GateReading, tally?: GateTally): GateAnswer {
  const { world, ledger, view } = asked;
  // Whatever becomes of it: a planner that starts goes on from here. A failure has it in its own record.
  if (tally !== undefined && reading.verdict !== "fail")
    return { kind: "record", decision: recordTally(world, ledger, view, gate, tally) };
  switch (reading.verdict) {
    case "fail":
      return followFailure(asked, gate, reading, tally);
    case "noData":
    case "pending":
      return waitFor(asked, gate, reading);
    case "pass": {
      const decision = recordVerdict(asked.world, asked.ledger, asked.view, gate, reading);
      return decision === undefined ? passed : { kind: "record", decision };
    }
  }
}

function passGate(asked: Asked, gate: Gate): GateAnswer {
  const { world, ledger, head, view, moment } = asked;
  const { id } = view.run;
  const standing = listGateStops(ledger, id, gate.name).find(({ lift }) => lift === undefined);
  // Its word stands until a person lifts it, whatever it would say by now.
  if (standing !== undefined)
    return wait("GateFailed", standing.why, nameOwner(asked), `meshroll resume run/${id} --reason "…"`);
  // Asked once: what moved since is another gate's matter.
  if (moment === "before" && lookUp(lookUp(ledger.runs, id)?.gates, gate.name)?.verdict === "pass") return passed;
  const scene = setGateScene(world, ledger, head, view, moment, gate);
  return answerReading(asked, gate, heedNoData(gate, readGate(gate, scene)), planTally(gate, scene));
}

/**
 * Asks the gates of one moment of a run whether it may go on. A new verdict comes first, as a record; then what a failure
 * stops; then the first wait. A return has no gates.
 */
export function passGates(
  world: World,
  ledger: LedgerState,
  head: Spec,
  view: RunView,
  moment: GateMoment,
): GateAnswer {
  const asked: Asked = { world, ledger, head, view, moment };
  if (isReturning(ledger, view.run)) return passed;
  const gates = settingsOf(head, view.run).gates.filter(({ when }) => when === moment);
  const answers = gates.map((gate) => passGate(asked, gate));
  return answers.find(({ kind }) => kind === "record") ?? answers.find(({ kind }) => kind === "wait") ?? passed;
}
