import { describe, expect, it } from "vitest";

import { spreadPoll } from "./memory.ts";

const [agents, pollMs] = [2_000, 30_000];

/** The same numbers each time. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Looks into the store in each second, of agents that all start at second 0. */
function countLooks(seconds: number, seed: number): readonly number[] {
  const random = makeRandom(seed);
  const counts = Array.from({ length: seconds }, () => 0);
  for (let agent = 0; agent < agents; agent += 1) {
    for (let at = 0; at < seconds * 1000; at += spreadPoll(pollMs, 0, random())) {
      const second = Math.floor(at / 1000);
      counts[second] = (counts[second] ?? 0) + 1;
    }
  }
  return counts;
}

describe("the looks of 2,000 agents that started in the same second", () => {
  const mean = agents / (pollMs / 1000);

  it.each([1, 7, 20_261_128])("are spread evenly after five minutes (seed %i)", (seed) => {
    const settled = countLooks(900, seed).slice(300);
    expect(settled.reduce((sum, count) => sum + count, 0) / settled.length / mean).toBeCloseTo(1, 1);
    // Independent agents differ by the square root of the mean: five times that is 1.6 times the mean.
    const allowed = 5 * Math.sqrt(mean);
    expect(Math.max(...settled)).toBeLessThan(mean + allowed);
    expect(Math.min(...settled)).toBeGreaterThan(mean - allowed);
  });

  it("never meet again as they did at the start", () => {
    expect(Math.max(...countLooks(900, 3).slice(1))).toBeLessThan(2 * mean);
  });
});

it.each([
  { failures: 0, random: 0, wantMs: 15_000 },
  { failures: 0, random: 1, wantMs: 45_000 },
  { failures: 1, random: 0.5, wantMs: 60_000 },
  { failures: 4, random: 0.5, wantMs: 480_000 },
  { failures: 50, random: 0.5, wantMs: 600_000 },
])("after $failures failed looks the next one comes in $wantMs ms", ({ failures, random, wantMs }) => {
  expect(spreadPoll(pollMs, failures, random)).toBe(wantMs);
});
