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

/**
 * Latencies that people notice, over real brokers, git, HTTP and our own processes. They are wall-clock times, so few of them
 * have goals.
 */
export const pauseBench: Bench = { name: "pause", run: runPause };
export const mergeBench: Bench = { name: "merge", run: runMerge };
export const wipeBench: Bench = { name: "wipe", run: runWipe };

/** What is wanted from a merge to the first patch with webhooks; a time of the machine, so no goal. */
const wantedSeconds = 2;

const seconds = (ms: number) => ({ value: ms / 1e3, unit: "s" });

function printList(values: readonly number[]): string {
  return values.map((ms) => `${Math.round(ms).toLocaleString("en")} ms`).join(", ");
}

/** No workload may be written after a pause is acknowledged. */
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

/** From a merge to the first patch: with a webhook, and without one, when the planner has to poll. */
async function runMerge(): Promise<readonly Figure[]> {
  const [polled, hooked] = (await Promise.all([playScenario("poll"), playScenario("webhook")])) as [
    MergeReading,
    MergeReading,
  ];
  console.error(`bench: merge: webhooks off: ${printList(polled.firstPatchMs)}; on: ${printList(hooked.firstPatchMs)}`);
  const [longest, median] = [Math.max(...polled.firstPatchMs), findMedian(polled.firstPatchMs)];
  const hinted = seconds(findMedian(hooked.firstPatchMs));
  const isSoon = hinted.value <= wantedSeconds ? "and it is" : "and it is NOT";
  console.error(`bench: merge: by webhook at most ${wantedSeconds} s are wanted, ${isSoon}: median ${hinted.value} s`);
  return [
    atMostPeer("merge to first patch, polled, the longest", seconds(longest), "its poll", seconds(polled.pollMs), 2),
    fasterThanPeer("merge to first patch, webhooks on, median", hinted, "polled", seconds(median), 1.5),
  ];
}

/** From a wipe of Redis and NATS, which hold no state that cannot be restored, to moves in all clusters. */
async function runWipe(): Promise<readonly Figure[]> {
  const { workloads, movesAgainMs } = (await playScenario("wipe")) as WipeReading;
  const metric = `${workloads.toLocaleString("en")} workloads, Redis and NATS wiped: all clusters move again`;
  return [plainFigure(metric, seconds(movesAgainMs))];
}
