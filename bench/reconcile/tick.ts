import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { atMostPeer, type Bench, type Figure, findMedian, takeMedian } from "../bench.ts";
import type { TickReading } from "./tick-planner.ts";

const SIZES = [10_000, 50_000, 100_000];
const WARM_UP = 8;
const ROUNDS = 25;

/** One reconcile of the planner after ten namespaces changed, in fleets of several sizes. */
export const tickBench: Bench = { name: "tick", run: runTick };

/** The planner's process, with a heap of its own as in production. */
function startPlanner(workloads: number): ChildProcess {
  const entry = fileURLToPath(new URL("./tick-planner.ts", import.meta.url));
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  const planner = fork(entry, [String(workloads)], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  // Each measurement adds a listener for the process' exit.
  planner.setMaxListeners(0);
  return planner;
}

async function measure(planner: ChildProcess): Promise<TickReading> {
  const ended = once(planner, "exit").then(() => {
    throw new Error("a planner of the bench ended early");
  });
  planner.send("reconcile");
  const [reading] = await Promise.race([once(planner, "message"), ended]);
  return reading as TickReading;
}

/** The readings of one fleet: the first reconcile, then every round, each with its reference work. */
interface Rounds {
  readonly first: TickReading;
  readonly rounds: TickReading[];
}

/** All sizes in turns, so that a disturbance affects every size. */
async function measureRounds(planners: readonly ChildProcess[]): Promise<readonly Rounds[]> {
  const all: Rounds[] = [];
  for (const planner of planners) all.push({ first: await measure(planner), rounds: [] });
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [index, planner] of planners.entries()) {
      const reading = await measure(planner);
      if (round >= 0) all[index]?.rounds.push(reading);
    }
  }
  return all;
}

/** How a time grows with the fleet: 1 = proportionally, 0 = not at all. Least squares of the logarithms. */
function fitSlope(readings: readonly TickReading[], read: (each: TickReading) => number): number {
  const logs = readings.map((each) => ({ x: Math.log(each.workloads), y: Math.log(read(each)) }));
  const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length;
  const rise = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return rise / logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
}

function takeLeast({ rounds, first }: Rounds): TickReading {
  return {
    ...first,
    ms: Math.min(...rounds.map(({ ms }) => ms)),
    walkMs: Math.min(...rounds.map(({ walkMs }) => walkMs)),
  };
}

async function runTick(): Promise<readonly Figure[]> {
  const planners = SIZES.map(startPlanner);
  try {
    const all = await measureRounds(planners);
    for (const { first, rounds } of all) {
      const [ms, walk] = [findMedian(rounds.map((each) => each.ms)), findMedian(rounds.map(({ walkMs }) => walkMs))];
      console.error(
        `bench: tick: ${first.workloads} workloads: ${ms.toFixed(2)} ms when 10 namespaces changed (a bare walk ${walk.toFixed(2)} ms), ` +
          `${first.ms.toFixed(0)} ms for the first reconcile (JSON.parse ${first.parseMs.toFixed(0)} ms)`,
      );
    }
    const { first, rounds } = all.at(-1) ?? { first: undefined, rounds: [] };
    // Of the least disturbed rounds. A large fleet does not fit into the CPU's caches, so that the walk grows more than its
    // work, and a reconcile grows although its work does not: only the two together say something.
    const slope = (read: (each: TickReading) => number) => {
      return { value: Math.max(0, fitSlope(all.map(takeLeast), read)), unit: "slope" };
    };
    const look = "a reconcile, 10 namespaces changed";
    const ms = (read: (each: TickReading) => number, of: readonly TickReading[]) => takeMedian(of.map(read), "ms");
    const firsts = first === undefined ? [] : [first];
    return [
      atMostPeer(
        `${look}: growth over 10k, 50k, 100k workloads`,
        slope(({ ms }) => ms),
        "a bare walk over them",
        slope(({ walkMs }) => walkMs),
        0.3,
      ),
      atMostPeer(
        `${look}, of 100k workloads`,
        ms((each) => each.ms, rounds),
        "a bare walk over them",
        ms(({ walkMs }) => walkMs, rounds),
        6,
      ),
      atMostPeer(
        "the first reconcile of 100k workloads",
        ms((each) => each.ms, firsts),
        "JSON.parse of them",
        ms(({ parseMs }) => parseMs, firsts),
        6,
      ),
    ];
  } finally {
    for (const planner of planners) planner.disconnect();
  }
}
