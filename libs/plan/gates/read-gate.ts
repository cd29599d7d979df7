import type { Gate } from "#libs/campaign";

import { readPrometheus } from "./read-prometheus.ts";
import { readProxySync } from "./read-proxy-sync.ts";
import { readRestartHealth } from "./read-restart-health.ts";
import { readRevisionMatch } from "./read-revision-match.ts";
import { findLift } from "./gate-scene.ts";
import type { GateReading, GateScene } from "./reading.ts";

function measure(gate: Gate, scene: GateScene): GateReading {
  switch (gate.kind) {
    case "restartHealth":
      return readRestartHealth(gate, scene);
    case "revisionMatch":
      return readRevisionMatch(gate, scene);
    case "proxySync":
      return readProxySync(gate, scene);
    case "prometheus":
      return readPrometheus(gate, scene);
  }
}

/** What is not seen may be better or worse: only the whole is judged as a failure, and only the whole ends a run. */
function heedUnseen({ unseen, moment }: GateScene, reading: GateReading): GateReading {
  const [first] = unseen;
  const isSaid = reading.verdict === "pass" && moment !== "after";
  if (first === undefined || isSaid) return reading;
  const why = `${reading.why}; ${unseen.join(", ")} not seen`;
  return { ...reading, verdict: "pending", why, owner: `the executor of ${first}` };
}

/** A person who lifts the stop of a gate that is asked once has accepted its answer; one that goes on begins anew. */
function heedLift(gate: Gate, { ledger, view }: GateScene, reading: GateReading): GateReading {
  const lift = findLift(ledger, view.run.id, gate.name);
  const isOnce = gate.when !== "during" || gate.kind === "revisionMatch";
  if (lift === undefined || !isOnce || reading.verdict !== "fail") return reading;
  return { ...reading, verdict: "pass", why: `${reading.why}; accepted by ${lift.who}: ${lift.why}` };
}

/** What a gate says now. Nothing is remembered: the same scene gives the same answer. */
export function readGate(gate: Gate, scene: GateScene): GateReading {
  const reading = measure(gate, scene);
  // What was measured outside of the fleet does not grow old with a cluster.
  return heedLift(gate, scene, gate.kind === "prometheus" ? reading : heedUnseen(scene, reading));
}
