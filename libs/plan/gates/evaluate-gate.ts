import type { Gate } from "#libs/campaign";

import { evaluatePrometheus } from "./sources/evaluate-prometheus.ts";
import { evaluateProxySync } from "./sources/evaluate-proxy-sync.ts";
import { evaluateRestartHealth } from "./sources/evaluate-restart-health.ts";
import { evaluateRevisionMatch } from "./sources/evaluate-revision-match.ts";
import { findLackingEvidence } from "../conditions/index.ts";
import { countLeft } from "../index/index.ts";
import { findResume } from "./gate-context.ts";
import type { GateReading, GateContext } from "./reading.ts";

function measure(gate: Gate, context: GateContext): GateReading {
  switch (gate.kind) {
    case "restartHealth":
      return evaluateRestartHealth(gate, context);
    case "revisionMatch":
      return evaluateRevisionMatch(gate, context);
    case "proxySync":
      return evaluateProxySync(gate, context);
    case "prometheus":
      return evaluatePrometheus(gate, context);
  }
}

/** With unseen clusters neither a failure nor the end of a run can be judged. */
function applyUnseen({ unseen, moment }: GateContext, reading: GateReading): GateReading {
  const isSaid = reading.verdict === "pass" && moment !== "after";
  if (unseen.length === 0 || isSaid) return reading;
  return { ...reading, verdict: "pending", found: { ...reading.found, note: { kind: "unseen", clusters: unseen } } };
}

/** When nothing is left to move, too few workloads are no evidence, so a pass does not count. */
function applyEvidence({ head, view, moment }: GateContext, reading: GateReading): GateReading {
  const isUnderWay = moment === "before" || (moment === "during" && countLeft(view).left > 0);
  if (reading.verdict !== "pass" || isUnderWay) return reading;
  const lacking = findLackingEvidence(head, view);
  return lacking === undefined
    ? reading
    : { ...reading, verdict: "noData", found: { code: "TooFewWorkloads", ...lacking } };
}

/** For a gate that is evaluated once, a person's resume of its stop accepts its result; a continuing one starts again. */
function applyResume(gate: Gate, { ledger, view }: GateContext, reading: GateReading): GateReading {
  const resume = findResume(ledger, view.run.id, gate.name);
  const isOnce = gate.when !== "during" || gate.kind === "revisionMatch";
  if (resume === undefined || !isOnce || reading.verdict !== "fail") return reading;
  const { who, why } = resume;
  return { ...reading, verdict: "pass", found: { ...reading.found, note: { kind: "accepted", who, why } } };
}

/** The present result of a gate; the same evaluation gives the same result. */
export function evaluateGate(gate: Gate, context: GateContext): GateReading {
  const reading = measure(gate, context);
  // Measurements from outside of the fleet do not depend on seen clusters.
  const seen = gate.kind === "prometheus" ? reading : applyUnseen(context, reading);
  return applyResume(gate, context, applyEvidence(context, seen));
}
