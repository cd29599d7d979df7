import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Line } from "./run-report.ts";
import { addPoint, mostPoints } from "./thin-line.ts";

type Point = readonly [t: number, value: number];

const time = ([t]: Point) => t;
const empty: Line<Point> = { every: 0, points: [] };

function addAll(points: readonly Point[]): Line<Point> {
  return points.reduce((line, point) => addPoint(line, point, time), empty);
}

const cases: readonly { name: string; every?: number; points: readonly Point[]; add: Point; want: readonly Point[] }[] =
  [
    { name: "the first point is added", points: [], add: [5, 1], want: [[5, 1]] },
    {
      name: "a later point is added",
      points: [[5, 1]],
      add: [6, 2],
      want: [
        [5, 1],
        [6, 2],
      ],
    },
    { name: "a point at the time of the last one replaces it", points: [[5, 1]], add: [5, 2], want: [[5, 2]] },
    { name: "an earlier point is left out", points: [[5, 1]], add: [4, 2], want: [[5, 1]] },
    {
      name: "a point replaces the last one while that is close to the one before",
      every: 10,
      points: [
        [0, 1],
        [9, 2],
      ],
      add: [30, 3],
      want: [
        [0, 1],
        [30, 3],
      ],
    },
    {
      name: "the first point is never replaced by a later one",
      every: 10,
      points: [[0, 1]],
      add: [1, 2],
      want: [
        [0, 1],
        [1, 2],
      ],
    },
  ];

describe("a line over time", () => {
  it.each(cases)("$name", ({ every = 0, points, add, want }) => {
    expect(addPoint({ every, points }, add, time).points).toEqual(want);
  });

  it("that is full keeps every second point, and takes points half as often", () => {
    const line = addAll(Array.from({ length: mostPoints + 1 }, (_, at) => [1000 * at, at] as const));
    expect(line.points).toHaveLength(mostPoints / 2 + 1);
    expect(line.points.slice(0, 3).map(time)).toEqual([0, 2000, 4000]);
    expect(line.points.at(-1)).toEqual([1000 * mostPoints, mostPoints]);
    expect(line.every).toBe(2000);
  });

  it("is bounded and in order, and has the first time and the newest value, whatever is added", () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 0, max: 9 })), {
      minLength: 1,
      maxLength: 2000,
      size: "max",
    });
    fc.assert(
      fc.property(steps, (given) => {
        let t = 0;
        const points = given.map(([step, value]) => [(t += step), value] as const);
        const line = addAll(points);
        const times = line.points.map(time);
        expect(times.length).toBeLessThanOrEqual(mostPoints);
        expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
        expect(line.points[0]).toEqual(points[0]);
        expect(line.points.at(-1)).toEqual(points.at(-1));
      }),
      { numRuns: 25 },
    );
  });
});
