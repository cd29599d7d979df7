import type { NamespaceRow } from "#libs/plan";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findCell, layOutBucket } from "./lay-out-bucket.ts";

const cell = (name: string, movesAt: number) => {
  const row: NamespaceRow = [name, 0, movesAt, 0, 0, 0, 1, 0, [0]];
  return { row, kind: "toCome" as const, place: movesAt / 100 };
};

const anyCells = fc
  .array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 400 })
  .map((all) => all.toSorted((a, b) => a - b).map((movesAt, at) => cell(`n${at}`, movesAt)));
const anyWidth = fc.integer({ min: 200, max: 2000 });

describe("the cells of a bucket", () => {
  it("are inside the picture without overlaps, in the order in which they move", () => {
    fc.assert(
      fc.property(anyCells, anyWidth, (cells, width) => {
        const layout = layOutBucket(cells, width);
        const places = new Set(layout.cells.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`));
        expect(places.size).toBe(cells.length);
        for (const { x, y } of layout.cells) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + layout.cellWidth).toBeLessThanOrEqual(width + 0.001);
          expect(y).toBeGreaterThanOrEqual(-0.001);
          expect(y + layout.cellHeight).toBeLessThanOrEqual(layout.height + 0.001);
        }
        const xs = layout.cells.map(({ x }) => x);
        expect(xs).toEqual(xs.toSorted((a, b) => a - b));
      }),
    );
  });

  it("are above the percentage at which they move: a line at the requested share separates them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), anyWidth, (requested, width) => {
        const layout = layOutBucket([cell("before", requested - 0.01), cell("after", requested + 0.01)], width);
        const [before, after] = layout.cells;
        const line = (requested / 100) * width;
        expect(before?.x).toBeLessThan(line);
        expect(after?.x).toBeGreaterThanOrEqual(line - 0.001);
      }),
    );
  });

  it("are found by a point in them, and by no point next to them", () => {
    const layout = layOutBucket([cell("a", 10), cell("b", 10), cell("c", 90)], 1000);
    for (const [at, { x, y }] of layout.cells.entries()) {
      expect(findCell(layout, x + layout.cellWidth / 2, y + layout.cellHeight / 2)).toBe(at);
    }
    expect(findCell(layout, 500, layout.height - 1)).toBe(-1);
  });

  it("of ten thousand namespaces fit into a picture no higher than a screen", () => {
    const cells = Array.from({ length: 10_000 }, (_, at) => cell(`n${at}`, (at * 7919) % 100));
    const layout = layOutBucket(cells, 1180);
    expect(layout.height).toBeLessThanOrEqual(400);
    expect(layout.cellWidth).toBeGreaterThanOrEqual(2);
  });
});
