import type { MeasuredLimit, Measurement } from "#libs/wording";

import { dropAbsent, type Sample } from "../../records/index.ts";
import type { GateOf, GateReading, GateContext } from "../reading.ts";
import { type KnownSample, listSamples } from "./list-samples.ts";

type Prometheus = GateOf<"prometheus">;

/** One measurement, compared with the gate's limits. */
interface Judged {
  readonly verdict: "good" | "bad" | "unknown";
  readonly measured: Measurement;
  /** The limit that it was compared with, and exceeded when it is bad. */
  readonly limit?: number;
}

interface Limit {
  readonly value: number;
  readonly isMissed: boolean;
  readonly by: MeasuredLimit;
}

/** The gate's limits; the baseline's only where a workload is left to compare with. */
function listLimits(
  { max, min, maxRatioToBaseline: ratio }: Prometheus,
  value: number,
  baseline?: number,
): readonly Limit[] {
  const limits: Limit[] = [];
  if (max !== undefined) limits.push({ value: max, isMissed: value > max, by: { kind: "max", limit: max } });
  if (min !== undefined) limits.push({ value: min, isMissed: value < min, by: { kind: "min", limit: min } });
  if (ratio !== undefined && baseline !== undefined) {
    const by = { kind: "baseline", ratio, baseline } as const;
    limits.push({ value: baseline * ratio, isMissed: value > baseline * ratio, by });
  }
  return limits;
}

/** A missing baseline counts as no data, unless no workload is left on the replaced revision. */
function lacksBaseline(gate: Prometheus, { baseline, baselineFault }: Sample): boolean {
  if (gate.maxRatioToBaseline === undefined || baseline !== undefined) return false;
  return baselineFault !== undefined || (gate.max === undefined && gate.min === undefined);
}

function judgeSample(gate: Prometheus, sample: Sample): Judged {
  const { value, baseline, fault, baselineFault } = sample;
  if (value === undefined) return { verdict: "unknown", measured: { kind: "noValue", ...dropAbsent({ fault }) } };
  if (lacksBaseline(gate, sample)) {
    const measured = { kind: "noBaseline", value, ...dropAbsent({ fault: baselineFault }) } as const;
    return { verdict: "unknown", measured };
  }
  const limits = listLimits(gate, value, baseline);
  const missed = limits.find(({ isMissed }) => isMissed);
  if (missed !== undefined)
    return { verdict: "bad", measured: { kind: "missed", value, limit: missed.by }, limit: missed.value };
  const measured = { kind: "within", value, limits: limits.map(({ by }) => by) } as const;
  return { verdict: "good", measured, ...dropAbsent({ limit: limits[0]?.value }) };
}

function pickFigures({ value, baseline, query }: Sample, { limit }: Judged): Omit<GateReading, "verdict" | "found"> {
  return { asked: query, ...dropAbsent({ value, baseline, limit }) };
}

/** There is no measurement yet; the first result comes within seconds. */
function readNothing({ query, interval }: Prometheus, { snapshot }: GateContext): GateReading {
  if (snapshot.samples === undefined) return { verdict: "noData", found: { code: "NotMeasuring" }, asked: query };
  return { verdict: "pending", found: { code: "FirstMeasurement", interval }, asked: query };
}

/** Whether no workload has migrated that the query could cover; a gate `during` has no result then. */
function hasNoMigrated({ moment, view }: GateContext): boolean {
  return moment === "during" && ![...view.clusters.values()].some((each) => each.count(["migrated"]) > 0);
}

/** One measurement, judged by the gate's present settings. */
interface Measured extends KnownSample {
  readonly judged: Judged;
  readonly isBad: boolean;
}

/** Measurements since the gate was last forgiven, oldest first: this planner's own, and recorded bad ones from before. */
export function judgeSamples(gate: Prometheus, context: GateContext): readonly Measured[] {
  return listSamples(gate, context).map((known) => {
    const judged = judgeSample(gate, known.sample);
    const isBad = judged.verdict === "bad" || (judged.verdict === "unknown" && gate.onNoData === "fail");
    return { ...known, judged, isBad };
  });
}

/** Known from the ledger only, and the next one is due, which may be different. */
function isOutdated({ interval }: Prometheus, { sample, isRecorded }: Measured, { snapshot }: GateContext): boolean {
  return isRecorded && snapshot.samples !== undefined && snapshot.now - sample.at >= interval;
}

/** The verdict by the last measurement, while fewer were bad than it takes to fail. */
function chooseVerdict({ judged, isBad }: Measured, { moment }: GateContext): GateReading["verdict"] {
  // One bad measurement is neither a failure nor a pass.
  if (isBad) return moment === "during" ? "pass" : "pending";
  return judged.verdict === "unknown" ? "noData" : "pass";
}

/** `failureLimit` bad measurements in all are a failure. */
export function evaluatePrometheus(gate: Prometheus, context: GateContext): GateReading {
  const { query, interval, failureLimit } = gate;
  if (hasNoMigrated(context)) return { verdict: "pass", found: { code: "NoneMigrated" }, asked: query };
  const measured = judgeSamples(gate, context);
  const last = measured.at(-1);
  const bad = measured.filter(({ isBad }) => isBad);
  const hasFailed = bad.length >= failureLimit;
  if (last === undefined || (!hasFailed && isOutdated(gate, last, context))) return readNothing(gate, context);
  const shown = (hasFailed ? bad.at(-1) : undefined) ?? last;
  return {
    verdict: hasFailed ? "fail" : chooseVerdict(last, context),
    until: last.sample.at + interval,
    found: { code: "Measured", measured: shown.judged.measured, bad: bad.length, failureLimit },
    ...pickFigures(shown.sample, shown.judged),
  };
}
