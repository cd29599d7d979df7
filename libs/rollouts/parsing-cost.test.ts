import { expect, it } from "vitest";

import { parseRollouts } from "./index.ts";

/** Processor time of the work in ms, the lower of two runs. Unlike the clock it does not include what else the machine does. */
function measureCpuMs(work: () => void): number {
  const times = [1, 2].map(() => {
    const began = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1000;
  });
  return Math.max(Math.min(...times), 0.5);
}

function writeBuckets(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `s${String(index).padStart(6, "0")}-.*: {a: 100}\n`);
  return `production: {a: 100}\n${lines.join("")}`;
}

it("16,000 buckets cost about eight times what 2,000 cost, not sixty-four times", () => {
  const [small, large] = [writeBuckets(2_000), writeBuckets(16_000)];
  const read: boolean[] = [];
  const parse = (text: string) => measureCpuMs(() => void read.push(parseRollouts(text, "rollouts.yml").ok));
  const [smallMs, largeMs] = [parse(small), parse(large)];
  expect(read).toEqual([true, true, true, true]);
  // The YAML library's own check compares each key with every other, which makes it 37.
  expect(largeMs / smallMs).toBeLessThan(16);
});
