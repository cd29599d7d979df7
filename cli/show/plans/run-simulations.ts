import {
  listChanges,
  simulate,
  type SimulatedRun,
  type SimulationQuestion,
  type Spread,
  summarise,
} from "#libs/simulation";

/** One thing that people could change, and when the campaign would end then. */
export interface Saving {
  readonly change: string;
  /** Epoch ms. */
  readonly endsAt: number;
  readonly savedMs: number;
}

/** What a simulation has to say. */
export interface Simulated {
  /** With the seed that was requested: the one whose stages are shown. */
  readonly run: SimulatedRun;
  readonly spread: Spread;
  /** How many runs were requested; the time was up before all were through when `spread.runs` is less. */
  readonly asked: number;
  /** Greatest first; empty when nothing would bring the end forward. */
  readonly savings: readonly Saving[];
}

/** A person waits for the answer: no further run is begun after so long, ms of this process's own CPU time. */
const budgetMs = 10_000;
/** Less than this is no reason to change anything, ms. */
const leastSaving = 60_000;

function listSavings(question: SimulationQuestion, run: SimulatedRun, isOver: () => boolean): readonly Saving[] {
  const { end } = run;
  if (end.kind !== "complete") return [];
  const savings: Saving[] = [];
  for (const { name, question: changed } of listChanges(question, run)) {
    if (isOver()) break;
    const other = simulate(changed).end;
    if (other.kind !== "complete" || end.at - other.at < leastSaving) continue;
    savings.push({ change: name, endsAt: other.at, savedMs: end.at - other.at });
  }
  return savings.toSorted((a, b) => b.savedMs - a.savedMs);
}

/** Not the clock on the wall: how many runs there are must not depend on what else the machine does. */
export function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Simulates once with the question's seed, tries what would shorten it, then goes on with other seeds while there is time. */
export function runSimulations(question: SimulationQuestion, asked: number, clock: () => number): Simulated {
  const began = clock();
  const isOver = (share: number) => clock() - began > budgetMs * share;
  const run = simulate(question);
  const savings = listSavings(question, run, () => isOver(0.5));
  const runs = [run];
  while (runs.length < asked && !isOver(1)) {
    runs.push(simulate({ ...question, seed: `${question.seed}.${runs.length}` }));
  }
  return { run, spread: summarise(runs), asked, savings };
}
