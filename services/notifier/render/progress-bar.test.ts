import { expect, it } from "vitest";

import { drawBar } from "./progress-bar.ts";

it.each([
  { done: 0, total: 0, want: 0 },
  { done: 0, total: 40, want: 0 },
  { done: 1, total: 4000, want: 1 },
  { done: 39, total: 40, want: 19 },
  { done: 40, total: 40, want: 20 },
])("a bar of $done of $total has $want of 20", ({ done, total, want }) => {
  expect(drawBar(done, total)).toBe("█".repeat(want) + "░".repeat(20 - want));
});
