import { simulate, type SimulationQuestion } from "#libs/simulation";

import { atMostPeer, type Bench, type Figure, findMedian, knownMiss, takeMedian } from "../bench.ts";
import { readThreadMs } from "../read-process.ts";
import { runBareLoop } from "./bare-loop.ts";
import { makeQuestion } from "./simulate-fleet.ts";

const WORKLOADS = 50_000;

/** What is measured, how often, the goal, and the ratio that must not be exceeded while the goal is missed. */
interface Case {
  readonly metric: string;
  readonly strategy: "Batched" | "Window";
  readonly warmUp: number;
  readonly rounds: number;
  readonly goal: number;
  readonly reached: number;
}

const cases: readonly Case[] = [
  { metric: "simulate 50,000 workloads, five stages", strategy: "Batched", warmUp: 2, rounds: 7, goal: 6, reached: 10 },
  // Window reconciles at every second arrival, so a few long rounds suffice.
  { metric: "the same, strategy Window", strategy: "Window", warmUp: 1, rounds: 3, goal: 20, reached: 36 },
];

/** A campaign of five stages over 50,000 workloads, next to a loop over the same events that decides nothing. */
export const simulateBench: Bench = { name: "simulate", run: () => cases.flatMap(measure) };

/** Ms of CPU time, and the work's result. */
function time<T>(work: () => T): { readonly ms: number; readonly answer: T } {
  const before = readThreadMs();
  const answer = work();
  return { ms: readThreadMs() - before, answer };
}

/** Ms of CPU time of the bare loop and of ours, for the same question. */
function runBoth(question: SimulationQuestion): { readonly bare: number; readonly ours: number } {
  const bare = time(() => runBareLoop(question));
  const ours = time(() => simulate(question));
  const { end, handedOut } = ours.answer;
  if (end.kind !== "complete" || handedOut !== WORKLOADS) throw new Error("a simulation lost a workload");
  if (bare.answer < WORKLOADS) throw new Error("the bare loop lost a workload");
  return { bare: bare.ms, ours: ours.ms };
}

function measure({ metric, strategy, warmUp, rounds, goal, reached }: Case): readonly Figure[] {
  const question = makeQuestion(WORKLOADS, strategy);
  const took = { bare: [] as number[], ours: [] as number[] };
  // In turns, and compared round by round, so that a disturbance affects both.
  for (let round = -warmUp; round < rounds; round++) {
    const { bare, ours } = runBoth({ ...question, seed: String(round) });
    if (round < 0) continue;
    took.bare.push(bare);
    took.ours.push(ours);
  }
  const figure = atMostPeer(metric, takeMedian(took.ours, "ms"), "bare loop", takeMedian(took.bare, "ms"), goal);
  return [knownMiss(figure, findMedian(took.ours.map((ours, round) => ours / (took.bare[round] ?? 0))) <= reached)];
}
