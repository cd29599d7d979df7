import { comparePatterns, compilePatterns } from "../../libs/rollouts/patterns/pattern-index.ts";
import { compileRollouts } from "../../libs/rollouts/hashing/resolve.ts";
import type { Rollouts } from "../../libs/rollouts/source/types.ts";
import {
  atMostPeer,
  type Bench,
  fasterThanPeer,
  type Figure,
  plainFigure,
  type Quantity,
  takeMedian,
} from "../bench.ts";
import { makeNamespaces, makePatterns } from "../fleet.ts";
import { measureInTurns, timePasses } from "../measure.ts";

const NAMES = 50_000;
const PATTERNS = 5_000;
/** The peer takes a tenth of a second for so many; its time is per name, so a sample suffices. */
const PEER_NAMES = 500;
const ROUNDS = 9;

/** Finding the pattern that decides among many, and resolving a whole fleet. */
export const matchBench: Bench = { name: "match", run: runMatch };

function runMatch(): readonly Figure[] {
  const names = makeNamespaces(NAMES);
  const patterns = makePatterns(PATTERNS).toSorted(comparePatterns);
  const rollouts = makeRollouts(patterns);
  const resolveAll = { operations: 1e6, pass: () => resolveFleet(rollouts, names) };
  // Before the compiler has optimised anything: the cost for a command that resolves a fleet once.
  const first = timePasses(resolveAll, 1);

  const index = compilePatterns(patterns);
  // JavaScript's engine, which the product avoids for patterns from a repository; these patterns are ours.
  const regexes = patterns.map((pattern) => new RegExp(`^(?:${pattern})$`));
  const sample = names.filter((_, at) => at % (NAMES / PEER_NAMES) === 0);
  refuseOtherWinners(
    sample,
    (name) => index.findBest(name) ?? -1,
    (name) => findFirst(regexes, name),
  );

  const took = measureInTurns(
    {
      index: { operations: NAMES, pass: () => sumUp(names, (name) => index.findBest(name) ?? -1) },
      regexes: { operations: sample.length, pass: () => sumUp(sample, (name) => findFirst(regexes, name)) },
      resolveAll,
      parts: { operations: 1e6, pass: () => countParts([...patterns, ...names]) },
    },
    ROUNDS,
  );

  const ns = (rounds: readonly number[]): Quantity => takeMedian(rounds, "ns");
  const ours = ns(took.index);
  const ms = (rounds: readonly number[]): Quantity => takeMedian(rounds, "ms");
  const size = "50k names x 5k patterns";
  return [
    fasterThanPeer(`${size}: match, per name`, ours, `RegExp loop (${PEER_NAMES} names)`, ns(took.regexes), 100),
    atMostPeer(
      `${size} x 3 revisions: compile and resolve`,
      ms(took.resolveAll),
      "a Map of their parts",
      ms(took.parts),
      40,
    ),
    plainFigure("the same, the first time in a process", { value: first, unit: "ms" }),
  ];
}

function makeRollouts(patterns: readonly string[]): Rollouts {
  const shares = [
    { revision: "1-24-5", weight: 60 },
    { revision: "1-25-2", weight: 30 },
    { revision: "1-26-0", weight: 10 },
  ];
  return { buckets: ["production", ...patterns].map((pattern, at) => ({ pattern, line: at + 1, column: 1, shares })) };
}

function resolveFleet(rollouts: Rollouts, names: readonly string[]): number {
  const resolver = compileRollouts(rollouts, "2026q4");
  return sumUp(names, (name) => resolver.resolve(name).revision.length);
}

/** Reference work on the same texts: splits each at its dashes and counts each part in a map. */
function countParts(texts: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const text of texts) for (const part of text.split("-")) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts.size;
}

function findFirst(regexes: readonly RegExp[], name: string): number {
  return regexes.findIndex((regex) => regex.test(name));
}

function sumUp(names: readonly string[], use: (name: string) => number): number {
  let sum = 0;
  for (const name of names) sum += use(name);
  return sum;
}

/** Throws when the peer finds another pattern: only the time of equal answers may be compared. */
function refuseOtherWinners(
  names: readonly string[],
  ours: (name: string) => number,
  peer: (name: string) => number,
): void {
  const other = names.find((name) => ours(name) !== peer(name));
  if (other !== undefined)
    throw new Error(`\`${other}\`: we find pattern ${ours(other)}, the RegExp loop ${peer(other)}`);
}
