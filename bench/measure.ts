import { readThreadMs } from "./read-process.ts";

/** Does all of the work once, and returns a number that depends on all of it, so that the compiler cannot omit any. */
export type Pass = () => number;

export interface Contestant {
  readonly pass: Pass;
  /** Operations of a pass; times are given per operation. */
  readonly operations: number;
}

/** Sums up the results; it is read at the end, so that they count as used. */
let sink = 0;

/** Minimal length of a round, ms. Of the round's passes the least counts, which other processes disturbed least. */
const LEAST_MS = 60;

/**
 * Times contestants in turns (A, B, A, B, …): for each its rounds, in ns of CPU time per operation. On a shared machine the
 * same code varies by a third within minutes, so only rounds that ran next to each other can be compared.
 */
export function measureInTurns<const Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  rounds: number,
): Readonly<Record<Name, readonly number[]>> {
  const names = listNames(contestants);
  const repeats = new Map(names.map((name) => [name, countRepeats(contestants[name])]));
  const took = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      took.get(name)?.push(timeRound(contestants[name], repeats.get(name) ?? 1));
    }
  }
  if (Number.isNaN(sink)) throw new Error("a pass returned no number");
  return mapNames(names, (name) => took.get(name) ?? []);
}

/** The least time of so many passes. */
function timeRound(contestant: Contestant, repeats: number): number {
  return Math.min(...Array.from({ length: repeats }, () => timePasses(contestant, 1)));
}

/** ns of CPU time per operation. Wall-clock time would include other processes. */
export function timePasses({ pass, operations }: Contestant, repeats: number): number {
  const before = readThreadMs();
  for (let at = 0; at < repeats; at++) sink += pass();
  return ((readThreadMs() - before) * 1e6) / (operations * repeats);
}

/** Warms up (compiler, caches, lazily built parts), then finds how many passes make a round long enough. */
function countRepeats(contestant: Contestant): number {
  timePasses(contestant, 3);
  const ms = (timePasses(contestant, 3) * contestant.operations) / 1e6;
  return Math.max(1, Math.ceil(LEAST_MS / Math.max(ms, 0.1)));
}

function listNames<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(record).filter((name): name is Name => name in record);
}

function mapNames<Name extends string>(
  names: readonly Name[],
  map: (name: Name) => readonly number[],
): Readonly<Record<Name, readonly number[]>> {
  const entries = names.map((name) => [name, map(name)] as const);
  return Object.fromEntries(entries) as Record<Name, readonly number[]>;
}
