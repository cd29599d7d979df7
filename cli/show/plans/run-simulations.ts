import {
  listChanges,
  simulate,
  type SimulatedRun,
  type SimulationQuestion,
  type Spread,
  summarise,
} from "#libs/simulation";

/** One possible change, and when the campaign would end with it. */
export interface Saving {
  readonly change: string;
  /** Epoch ms. */
  readonly endsAt: number;
  readonly savedMs: number;
}

/** The result of simulations. */
export interface Simulated {
  /** With the requested seed; its stages are shown. */
  readonly run: SimulatedRun;
  readonly spread: Spread;
  /** The number of requested runs; `spread.runs` is less when the time was up before. */
  readonly asked: number;
  /** Largest first; empty when no change would make it shorter. */
  readonly savings: readonly Saving[];
}

/** No further run begins after this time, ms of this process's CPU time. */
const budgetMs = 10_000;
/** Smaller savings are not shown, ms. */
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

/** CPU time, so that the number of runs does not depend on other load of the machine. */
export function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Simulates with the question's seed, tries what would shorten it, then uses other seeds while there is time. */
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
