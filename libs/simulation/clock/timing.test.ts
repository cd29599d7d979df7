import { expect, test } from "vitest";

import { defaultTiming, drawReady } from "./timing.ts";

const draws = Array.from({ length: 20_000 }, (_, index) => drawReady(defaultTiming, "seed", `workload-${index}`, 1));
const sorted = draws.toSorted((a, b) => a - b);
const quantile = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0) / 1000;

test("half of all workloads are ready after the median, 9 in 10 after two and a half times that", () => {
  expect(quantile(0.5)).toBeGreaterThan(44);
  expect(quantile(0.5)).toBeLessThan(46);
  expect(quantile(0.9)).toBeGreaterThan(105);
  expect(quantile(0.9)).toBeLessThan(116);
});

test("a draw depends on seed, name and try, and on nothing else", () => {
  const draw = (seed: string, name: string, attempt: number) => drawReady(defaultTiming, seed, name, attempt);
  const first = draw("a", "x", 1);
  expect([draw("b", "x", 1), draw("a", "y", 1), draw("a", "x", 2)]).not.toContain(first);
  expect(draw("a", "x", 1)).toBe(first);
});

test("recorded durations take precedence over the distribution", () => {
  expect(drawReady({ ...defaultTiming, recorded: new Map([["x", 12]]) }, "a", "x", 1)).toBe(12);
});
