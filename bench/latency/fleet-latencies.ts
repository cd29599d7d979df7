import { atMostPeer, type Bench, fasterThanPeer, type Figure, findMedian, limitFigure, plainFigure } from "../bench.ts";
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

/** What people wait for, over real brokers, git, HTTP and our own processes: on the wall, so few of them are goals. */
export const pauseBench: Bench = { name: "pause", run: runPause };
export const mergeBench: Bench = { name: "merge", run: runMerge };
export const wipeBench: Bench = { name: "wipe", run: runWipe };

const seconds = (ms: number) => ({ value: ms / 1e3, unit: "s" });

function printList(values: readonly number[]): string {
  return values.map((ms) => `${Math.round(ms).toLocaleString("en")} ms`).join(", ");
}

/** P1: nothing is written once a pause is acknowledged. */
async function runPause(): Promise<readonly Figure[]> {
  const readings = (await playScenario("pause")) as readonly PauseReading[];
  const acks = readings.map(({ ackMs }) => ackMs);
  const writes = readings.map(({ lastWriteMs }) => lastWriteMs);
  console.error(`bench: pause: acknowledged after ${printList(acks)}; the last write then was at ${printList(writes)}`);
  return [
    plainFigure("pause all, asked to acknowledged, the longest", seconds(Math.max(...acks))),
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
  const [longest, median] = [Math.max(...polled.firstPatchMs), findMedian(polled.firstPatchMs)];
  const hinted = seconds(findMedian(told.firstPatchMs));
  return [
    atMostPeer("merge to first patch, polled, the longest", seconds(longest), "its poll", seconds(polled.pollMs), 2),
    fasterThanPeer("merge to first patch, webhooks on, median", hinted, "polled", seconds(median), 1.5),
  ];
}

/** Nothing that matters is in Redis or NATS. */
async function runWipe(): Promise<readonly Figure[]> {
  const { workloads, movesAgainMs } = (await playScenario("wipe")) as WipeReading;
  const metric = `${workloads.toLocaleString("en")} workloads, Redis and NATS wiped: all clusters move again`;
  return [plainFigure(metric, seconds(movesAgainMs))];
}
