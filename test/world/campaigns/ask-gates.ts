import type { GateMoment } from "#libs/campaign";
import { applyChange, evaluateFleet, type LedgerDecision, type Snapshot } from "#libs/plan";

import { type GateReading, passGates, evaluateGates, renderReading } from "../../../libs/plan/gates/index.ts";
import { runId, sha } from "../build.ts";

type GateAnswer = ReturnType<typeof passGates>;
/** A reading with its sentences. */
type WordedReading = GateReading & ReturnType<typeof renderReading>;

function show(snapshot: Snapshot) {
  const head = snapshot.specs.get(sha("head"));
  const { ledger } = snapshot;
  if (head === undefined || ledger === undefined) throw new Error("the snapshot has no head");
  const view = evaluateFleet(snapshot, head).views.find(({ run }) => run.id === runId);
  if (view === undefined) throw new Error("the snapshot has no open run");
  return { head, ledger, view };
}

/** Decision of the gates at one moment, in a snapshot of `makeGateSnapshot`. */
export function askGates(snapshot: Snapshot, moment: GateMoment): GateAnswer {
  const { head, ledger, view } = show(snapshot);
  return passGates(snapshot, ledger, head, view, moment);
}

function tellRecord({ kind, change: { runs = [], stops = [] } }: LedgerDecision): string {
  for (const { stop } of stops) return `stop ${stop.cause} ${stop.gate}`;
  for (const { run, steps } of runs)
    for (const step of steps) if (step.kind === "gateJudged") return `record ${run.gates?.[step.gate]?.verdict}`;
  return kind;
}

/** The gates' decision as a short text: `pass`, `wait CODE`, `stop …` or `record VERDICT`. */
export function tellAnswer(snapshot: Snapshot, moment: GateMoment): string {
  const answer = askGates(snapshot, moment);
  // A new count is recorded first; then the gates are evaluated again.
  if (answer.kind === "record" && answer.decision.kind === "countGate")
    return tellAnswer(pushRecord(snapshot, moment), moment);
  if (answer.kind === "pass") return "pass";
  if (answer.kind === "wait") return `wait ${answer.reason.code}`;
  return tellRecord(answer.decision);
}

/** What gate `g` measures now, before `onNoData` is applied; undefined when it does not measure now. */
export function readGateNow(snapshot: Snapshot, name = "g"): WordedReading | undefined {
  const { head, ledger, view } = show(snapshot);
  const reading = evaluateGates(snapshot, ledger, head, view).get(name);
  return reading === undefined ? undefined : { ...reading, ...renderReading(reading) };
}

/** The snapshot after the gates' record was pushed. */
export function pushRecord(snapshot: Snapshot, moment: GateMoment): Snapshot {
  const answer = askGates(snapshot, moment);
  if (answer.kind !== "record") throw new Error(`nothing to record: ${answer.kind}`);
  const ledger = applyChange(show(snapshot).ledger, answer.decision.change);
  return { ...snapshot, ledger };
}
