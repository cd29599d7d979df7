import { type Bench, type Figure, limitFigure } from "../bench.ts";
import { playScenario } from "./scenario.ts";

/** What the scenarios of `sandbox/bench-fleet` send. */
interface PauseReading {
  readonly ackMs: number;
  readonly lastWriteMs: number;
}

interface MergeReading {
  readonly pollMs: number;
  readonly firstPatchMs: readonly number[];
}

interface WipeReading {
  readonly workloads: number;
  readonly movesAgainMs: number;
}

/** What people wait for, over real brokers, git, HTTP and our own processes: on the wall, so only generous limits are goals. */
export const pauseBench: Bench = { name: "pause", run: runPause };
export const mergeBench: Bench = { name: "merge", run: runMerge };
export const wipeBench: Bench = { name: "wipe", run: runWipe };

const seconds = (ms: number) => ({ value: ms / 1e3, unit: "s" });

function printList(values: readonly number[]): string {
  return values.map((ms) => `${Math.round(ms).toLocaleString("en")} ms`).join(", ");
}

function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** P1: nothing is written once a pause is acknowledged. */
async function runPause(): Promise<readonly Figure[]> {
  const readings = (await playScenario("pause")) as readonly PauseReading[];
  const acks = readings.map(({ ackMs }) => ackMs);
  const writes = readings.map(({ lastWriteMs }) => lastWriteMs);
  console.error(`bench: pause: acknowledged after ${printList(acks)}; the last write then was at ${printList(writes)}`);
  return [
    limitFigure("pause all, asked to acknowledged, the longest", seconds(Math.max(...acks)), 5),
    limitFigure("acknowledged to the last write, the latest", seconds(Math.max(...writes)), 0),
  ];
}

/** E1: a webhook is a hint; without one a merge is found by looking. */
async function runMerge(): Promise<readonly Figure[]> {
  const [polled, told] = (await Promise.all([playScenario("poll"), playScenario("webhook")])) as [
    MergeReading,
    MergeReading,
  ];
  console.error(`bench: merge: webhooks off: ${printList(polled.firstPatchMs)}; on: ${printList(told.firstPatchMs)}`);
  const poll = `poll every ${polled.pollMs / 1e3} s`;
  return [
    limitFigure(`merge to first patch, ${poll}, the longest`, seconds(Math.max(...polled.firstPatchMs)), 20),
    limitFigure("merge to first patch, webhooks on, median", seconds(findMedian(told.firstPatchMs)), 5),
  ];
}

/** Nothing that matters is in Redis or NATS. */
async function runWipe(): Promise<readonly Figure[]> {
  const { workloads, movesAgainMs } = (await playScenario("wipe")) as WipeReading;
  const metric = `${workloads.toLocaleString("en")} workloads, Redis and NATS wiped: all clusters move again`;
  return [limitFigure(metric, seconds(movesAgainMs), 60)];
}
