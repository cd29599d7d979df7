import type { Gate } from "#libs/campaign";

import { type BadMeasurement, type GateTally, printTime, type Sample } from "../records/index.ts";
import { judgeSamples } from "./sources/evaluate-prometheus.ts";
import { findLowSince, measureProxySync } from "./sources/evaluate-proxy-sync.ts";
import type { GateOf, GateContext } from "./reading.ts";
import { findTally, nameBasis } from "./find-tally.ts";
import { nameMoment } from "./sources/list-samples.ts";

/** A shorter low is not recorded: proxies come and go while workloads move, and each record is a commit, ms. */
const lowCountsMs = 10_000;

function toRecord(sample: Sample): BadMeasurement {
  const { value, baseline, fault, baselineFault } = sample;
  return {
    at: nameMoment(sample),
    ...(value === undefined ? {} : { value }),
    ...(baseline === undefined ? {} : { baseline }),
    ...(fault === undefined ? {} : { fault }),
    ...(baselineFault === undefined ? {} : { baselineFault }),
  };
}

/** All bad measurements, when one of them is not in the ledger yet, up to the number that fails the gate. */
function planCount(gate: GateOf<"prometheus">, context: GateContext): GateTally | undefined {
  const bad = judgeSamples(gate, context).filter(({ isBad }) => isBad);
  if (bad.every(({ isRecorded }) => isRecorded)) return undefined;
  const known = new Set(findTally(gate, context)?.bad?.map(({ at }) => at));
  const kept = bad.slice(-gate.failureLimit).map(({ sample }) => toRecord(sample));
  return kept.every(({ at }) => known.has(at)) ? undefined : { by: nameBasis(gate), bad: kept };
}

/** The ratio became too low, and has been so for a moment. */
function planBegin(
  gate: GateOf<"proxySync">,
  context: GateContext,
  recorded: string | undefined,
): GateTally | undefined {
  const since = findLowSince(gate, context);
  const isNew = recorded === undefined || printTime(since) > recorded;
  const stands = context.snapshot.now - since >= Math.min(lowCountsMs, gate.within / 4);
  return isNew && stands ? { by: nameBasis(gate), lowSince: printTime(since) } : undefined;
}

/** When it became too low, or that it is not any more. */
function planLow(gate: GateOf<"proxySync">, context: GateContext): GateTally | undefined {
  const { ratio = 1, silent, connected } = measureProxySync(context);
  // Unseen clusters or silent istiods: unknown.
  if (context.unseen.length > 0 || (connected === 0 && silent.length > 0)) return undefined;
  const recorded = findTally(gate, context)?.lowSince;
  if (ratio < gate.minSyncedRatio) return planBegin(gate, context, recorded);
  return recorded === undefined ? undefined : { by: nameBasis(gate) };
}

/**
 * A gate's tally, where the ledger lacks it, so that a new planner does not count from zero (rules 6.3). Gates that read the
 * fleet itself need none.
 */
export function planTally(gate: Gate, context: GateContext): GateTally | undefined {
  switch (gate.kind) {
    case "prometheus":
      return planCount(gate, context);
    case "proxySync":
      return planLow(gate, context);
    case "restartHealth":
    case "revisionMatch":
      return undefined;
  }
}
