import { describe, expect, it } from "vitest";

import { describeProgress, layOutCourse, makeSpan } from "./run-course.ts";

const point = (t: number, migrated: number, pending: number) => ({
  t,
  migrated,
  idle: 1,
  migrating: 2,
  pending,
  waiting: 3,
  skipped: 4,
});

describe("the course of a run", () => {
  it("is areas that lie on each other, and holds until the end", () => {
    expect(layOutCourse([point(0, 0, 10), point(5, 10, 0)], 9)).toEqual({
      times: [0, 5, 9],
      done: [1, 11, 11],
      settled: [5, 15, 15],
      all: [20, 20, 20],
    });
  });

  it.each([
    { name: "no points", points: [], until: 9, want: [] },
    { name: "a last point at the end", points: [point(9, 1, 1)], until: 9, want: [9] },
    { name: "an end before the last point", points: [point(9, 1, 1)], until: 5, want: [9] },
  ])("has no other times with $name", ({ points, until, want }) => {
    expect(layOutCourse(points, until).times).toEqual(want);
  });
});

describe("the time axis of a run", () => {
  it.each([
    { name: "a run that just began has a minute", until: 10, want: 60_000 },
    { name: "grows in steps", until: 100_001, want: 105_000 },
    { name: "ends at a step", until: 100_000, want: 100_000 },
    { name: "grows in larger steps for a longer run", until: 100_000_001, want: 105_000_000 },
  ])("$name", ({ until, want }) => expect(makeSpan(0, until)).toEqual({ from: 0, until: want }));
});

it.each([
  { now: point(0, 10, 0), want: "10 of 20 workloads migrated, 1 idle, 4 skipped and 5 left" },
  {
    now: { migrated: 1, idle: 0, migrating: 0, pending: 0, waiting: 0, skipped: 0 },
    want: "1 of 1 workload migrated, 0 skipped and 0 left",
  },
])("progress in a sentence: $want", ({ now, want }) => expect(describeProgress(now)).toBe(want));
