import { printDuration } from "#libs/campaign";

import type { Sample } from "../../records/index.ts";
import { printFigure } from "./print-figure.ts";
import type { GateOf, GateReading, GateContext } from "../reading.ts";
import { type KnownSample, listSamples } from "./list-samples.ts";

type Prometheus = GateOf<"prometheus">;

/** One measurement against the gate's limits. */
interface Judged {
  readonly verdict: "good" | "bad" | "unknown";
  readonly why: string;
  /** The limit that it was held against, and missed when it is bad. */
  readonly limit?: number;
}

interface Limit {
  readonly value: number;
  readonly isMissed: boolean;
  readonly said: string;
}

/** Every limit that the gate has; a baseline's only where a workload is left to compare with. */
function listLimits(
  { max, min, maxRatioToBaseline: ratio }: Prometheus,
  value: number,
  baseline?: number,
): readonly Limit[] {
  const limits: Limit[] = [];
  if (max !== undefined) limits.push({ value: max, isMissed: value > max, said: `max ${printFigure(max)}` });
  if (min !== undefined) limits.push({ value: min, isMissed: value < min, said: `min ${printFigure(min)}` });
  if (ratio !== undefined && baseline !== undefined) {
    const said = `${printFigure(ratio)} times the baseline ${printFigure(baseline)}`;
    limits.push({ value: baseline * ratio, isMissed: value > baseline * ratio, said });
  }
  return limits;
}

/** A baseline is missing unless no workload is left that runs what is replaced: then there is nothing to compare with. */
function lacksBaseline(gate: Prometheus, { baseline, baselineFault }: Sample): string | undefined {
  if (gate.maxRatioToBaseline === undefined || baseline !== undefined) return undefined;
  const isAlone = gate.max === undefined && gate.min === undefined;
  if (baselineFault !== undefined) return `no baseline: ${baselineFault}`;
  return isAlone ? "no baseline: no workload is left on the replaced revision" : undefined;
}

function judgeSample(gate: Prometheus, sample: Sample): Judged {
  const { value, baseline } = sample;
  if (value === undefined)
    return { verdict: "unknown", why: `no data: ${sample.fault ?? "the query answered nothing"}` };
  const missing = lacksBaseline(gate, sample);
  if (missing !== undefined) return { verdict: "unknown", why: `${printFigure(value)}, ${missing}` };
  const limits = listLimits(gate, value, baseline);
  const missed = limits.find(({ isMissed }) => isMissed);
  const shown = missed ?? limits[0];
  const said = missed === undefined ? limits.map((each) => each.said).join(" and ") : missed.said;
  const why = `${printFigure(value)} ${missed === undefined ? "is within" : "misses"} ${said}`;
  const limit = shown === undefined ? {} : { limit: shown.value };
  return { verdict: missed === undefined ? "good" : "bad", why, ...limit };
}

function pickFigures({ value, baseline, query }: Sample, { limit }: Judged): Omit<GateReading, "verdict" | "why"> {
  return {
    query,
    ...(value === undefined ? {} : { value }),
    ...(baseline === undefined ? {} : { baseline }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Nothing was measured yet: the first answer, or that there is none, comes within seconds. */
function readNothing({ query, interval }: Prometheus, { snapshot }: GateContext): GateReading {
  if (snapshot.samples === undefined)
    return {
      verdict: "noData",
      why: "no data: this planner measures nothing",
      query,
      owner: "the operator of the planner",
    };
  const why = `the first measurement is under way, then one every ${printDuration(interval)}`;
  return { verdict: "pending", why, query, owner: "the operator of Prometheus" };
}

/** Has a workload moved that the query could cover? Before that a gate `during` has nothing to say. */
function hasNoMigrated({ moment, view }: GateContext): boolean {
  return moment === "during" && ![...view.clusters.values()].some((each) => each.count(["migrated"]) > 0);
}

/** One measurement, judged by the gate as it is written now. */
interface Measured extends KnownSample {
  readonly judged: Judged;
  readonly isBad: boolean;
}

/** Since the gate was last forgiven, oldest first: what this planner measured, and what was counted as bad before it. */
export function judgeSamples(gate: Prometheus, context: GateContext): readonly Measured[] {
  return listSamples(gate, context).map((known) => {
    const judged = judgeSample(gate, known.sample);
    const isBad = judged.verdict === "bad" || (judged.verdict === "unknown" && gate.onNoData === "fail");
    return { ...known, judged, isBad };
  });
}

/** Only the ledger knows of it, and the time for the next one has come: that may say something else. */
function isOutdated({ interval }: Prometheus, { sample, isRecorded }: Measured, { snapshot }: GateContext): boolean {
  return isRecorded && snapshot.samples !== undefined && snapshot.now - sample.at >= interval;
}

/** The last measurement's word, while there were fewer bad ones than it takes to fail. */
function chooseVerdict({ judged, isBad }: Measured, { moment }: GateContext): GateReading["verdict"] {
  // One bad measurement is no failure yet, and no proof either.
  if (isBad) return moment === "during" ? "pass" : "pending";
  return judged.verdict === "unknown" ? "noData" : "pass";
}

function printCount(bad: number): string {
  return `${bad} bad measurement${bad === 1 ? "" : "s"}`;
}

/** `failureLimit` bad measurements in all are a failure. */
export function readPrometheus(gate: Prometheus, context: GateContext): GateReading {
  const { query, interval, failureLimit } = gate;
  if (hasNoMigrated(context)) return { verdict: "pass", why: "no workload migrated yet that it could measure", query };
  const measured = judgeSamples(gate, context);
  const last = measured.at(-1);
  const bad = measured.filter(({ isBad }) => isBad);
  const hasFailed = bad.length >= failureLimit;
  if (last === undefined || (!hasFailed && isOutdated(gate, last, context))) return readNothing(gate, context);
  const shown = (hasFailed ? bad.at(-1) : undefined) ?? last;
  const counted = `${printCount(bad.length)} so far, ${failureLimit} are a failure`;
  return {
    verdict: hasFailed ? "fail" : chooseVerdict(last, context),
    until: last.sample.at + interval,
    why: `${shown.judged.why} (${counted})`,
    owner: "the operator of Prometheus",
    ...pickFigures(shown.sample, shown.judged),
  };
}
