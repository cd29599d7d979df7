import { expect, it } from "vitest";

import { printRunParts } from "./run-parts.ts";

it.each([
  { name: "all are listed", parts: { workloads: 384, listed: 384 }, want: "" },
  { name: "it has no list, and nothing was left over", parts: { workloads: 384 }, want: "" },
  {
    name: "an earlier stage left some over",
    parts: { workloads: 386, listed: 384, leftover: 2 },
    want: "384 listed, 2 left over by an earlier stage",
  },
  {
    name: "some came after the list, or were there already",
    parts: { workloads: 389, listed: 384, leftover: 2 },
    want: "384 listed, 2 left over by an earlier stage, 3 more than listed",
  },
  {
    name: "some were deleted",
    parts: { workloads: 383, listed: 384 },
    want: "384 listed, 1 fewer than listed",
  },
  {
    name: "without a list only what was left over is told",
    parts: { workloads: 386, leftover: 2 },
    want: "2 left over by an earlier stage",
  },
])("$name", ({ parts, want }) => {
  expect(printRunParts(parts)).toBe(want);
});
