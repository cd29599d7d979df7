import type { Comparable } from "./check-pins.ts";
import { comparePatterns, compilePatterns } from "../patterns/pattern-index.ts";
import type { Problem } from "../source/source.ts";

/**
 * Steps of compiled programs that one name may meet: a hundred ordinary regular expressions, some 50 µs. Names are matched in
 * the planner's and the executors' own loops, so a whole fleet of 20,000 must not cost more than about a second.
 */
const MAX_STEPS = 2_000;

/** MR1015 for a file whose patterns together are too much work for one name. Each pattern comes once. */
export function checkWork(patterns: readonly Comparable[]): readonly Problem[] {
  const most = patterns.reduce((total, { steps }) => total + steps, 0);
  // All of them together are within the limit, no matter which name meets them: nothing has to be compiled.
  if (most <= MAX_STEPS) return [];
  const sorted = patterns.toSorted((a, b) => comparePatterns(a.bucket.key.name, b.bucket.key.name));
  const index = compilePatterns(sorted.map(({ bucket }) => bucket.key.name));
  const work = index.measureWork(sorted.map(({ steps }) => steps));
  if (work <= MAX_STEPS) return [];
  return [
    {
      code: "MR1015",
      span: { start: 0, end: 1 },
      message: `one name may meet ${work} steps of regular expressions; ${MAX_STEPS} is the most`,
      help: "write patterns as `.*-suffix` or `prefix-.*`, or begin them with text: those are looked up",
    },
  ];
}
