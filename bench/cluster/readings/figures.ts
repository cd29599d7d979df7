import type { Tally } from "../../../test/vm/traffic/open-load.ts";
import {
  atLeastPeer,
  atMostPeer,
  fasterThanPeer,
  type Figure,
  findMedian,
  limitFigure,
  plainFigure,
} from "../../bench.ts";
import {
  countMostAtOnce,
  findMakespan,
  listBatchGaps,
  listRefills,
  type Rollouts,
} from "../../../test/cluster/fleet/read-rollouts.ts";

interface Contestant extends Rollouts {
  /** Lower bound of its makespan, s. */
  readonly bound: number;
  /** Deployments that it has to move. */
  readonly count: number;
}

/** What one run measured. */
export interface Readings {
  /** Rollouts at once, of every contestant. */
  readonly atOnce: number;
  /** Deployments that the executor manages. */
  readonly managed: number;
  readonly contestants: Readonly<Record<"window" | "batched" | "loop" | "barrier", Contestant>>;
  /** Replica-seconds below the floor. */
  readonly floors: { readonly ours: number; readonly naive: number };
  readonly use: {
    readonly residentMb: number;
    readonly peakMb: number;
    readonly cores: number;
    readonly controllersCores: number;
    readonly controllersMb: number;
  };
  readonly idleCores: number;
  readonly requests: { readonly ours: Tally; readonly naive: Tally };
}

/** Throws unless each contestant moved everything, and never more at once than allowed: figures of another work would prove nothing. */
function requireSameWork({ contestants, atOnce }: Readings): void {
  for (const [name, each] of Object.entries(contestants)) {
    const { begun, completed, count } = each;
    const most = countMostAtOnce(each);
    if (begun.length !== count || completed.length !== count || most > atOnce) {
      const seen = `${begun.length} begun, ${completed.length} completed, ${most} at once`;
      throw new Error(`${name}: ${seen}; wanted ${count}, at most ${atOnce} at once`);
    }
  }
}

const share = (each: Contestant) => ({ value: each.bound / findMakespan(each), unit: "of the bound" });

function findPercentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

/** Half of what the chart allows an executor. */
const mostMemoryMb = 512;

/** Prints to `log` what the table has no room for. */
export function makeFigures(readings: Readings, log: (line: string) => void): readonly Figure[] {
  requireSameWork(readings);
  const { contestants, atOnce, floors, use, idleCores, requests, managed } = readings;
  const { window, batched, loop, barrier } = contestants;
  for (const [name, each] of Object.entries(contestants)) {
    const [took, least] = [findMakespan(each), each.bound].map((value) => value.toFixed(1));
    log(`${name}: ${each.count} Deployments, ${atOnce} at once, in ${took} s; not less than ${least} s`);
  }
  const refills = listRefills(window, atOnce);
  const loops = listRefills(loop, atOnce);
  const gaps = listBatchGaps(barrier, atOnce);
  const own = listBatchGaps(batched, atOnce);
  const lists = { Window: refills, "the shell loop": loops, "the barrier": gaps, Batched: own };
  for (const [name, values] of Object.entries(lists)) {
    const [half, most] = [findMedian(values), findPercentile(values, 99)].map((value) => Math.round(value));
    log(
      `${name}: from the last completion to the next write ${half} ms (p50), ${most} ms (p99), ${values.length} times`,
    );
  }
  const ms = (value: number) => ({ value, unit: "ms" });
  const fleet = `${managed.toLocaleString("en")} Deployments`;
  return [
    { ...limitFigureFrom("Window: the lower bound's share of its makespan", share(window), 0.95) },
    atLeastPeer("Window: the same", share(window), "rollout restart, xargs", share(loop), 1),
    atLeastPeer("Window: the same", share(window), "barrier", share(barrier), 1.2),
    atLeastPeer("Batched: the same", share(batched), "barrier", share(barrier), 1),
    fasterThanPeer(
      "Window: completed to the next write, median",
      ms(findMedian(refills)),
      "barrier, 2 s poll",
      ms(findMedian(gaps)),
      20,
    ),
    fasterThanPeer("Batched: the same", ms(findMedian(own)), "barrier, 2 s poll", ms(findMedian(gaps)), 2),
    limitFigure("replica-seconds below the floor", { value: floors.ours, unit: "s" }, 0),
    limitFigure(`executor's memory, ${fleet}`, { value: use.peakMb, unit: "MB" }, mostMemoryMb),
    atMostPeer(
      `executor's cores, ${fleet}, ${atOnce} moving`,
      { value: use.cores, unit: "" },
      "kube-controller-manager",
      { value: use.controllersCores, unit: "" },
      2,
    ),
    plainFigure(`executor's cores, ${fleet}, idle`, { value: idleCores, unit: "" }),
    ...makeRequestFigures(requests),
    requireFailure("deleted at once: replica-seconds below the floor", floors.naive),
  ];
}

/** A share that must be at least so much. */
function limitFigureFrom(
  metric: string,
  ours: { readonly value: number; readonly unit: string },
  least: number,
): Figure {
  const isMet = ours.value >= least;
  return { metric, ours: `${ours.value.toPrecision(3)} ${ours.unit}`, peer: "", ratio: "", goal: `>= ${least}`, isMet };
}

function makeRequestFigures({ ours, naive }: Readings["requests"]): readonly Figure[] {
  const all = ours.answered + ours.failed;
  return [
    limitFigure(
      `Envoy, a rolling move: failed of ${all.toLocaleString("en")}`,
      { value: ours.failed, unit: "requests" },
      0,
    ),
    requireFailure(
      `Envoy, pods deleted at once: failed of ${(naive.answered + naive.failed).toLocaleString("en")}`,
      naive.failed,
    ),
  ];
}

/** The check is able to fail: a figure that must not be 0. */
function requireFailure(metric: string, value: number): Figure {
  return { metric, ours: "", peer: `naive ${Math.round(value * 10) / 10}`, ratio: "", goal: "> 0", isMet: value > 0 };
}
