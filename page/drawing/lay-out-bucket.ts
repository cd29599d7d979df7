import type { NamespaceRow } from "#libs/plan";

import type { CellKind } from "./cell-kind.ts";

/** One namespace in the picture; px from the left and the top. */
export interface Cell {
  readonly row: NamespaceRow;
  readonly kind: CellKind;
  readonly x: number;
  readonly y: number;
}

/** A namespace before it has its position. */
export interface Unplaced {
  readonly row: NamespaceRow;
  readonly kind: CellKind;
  /** From 0, the left end, to below 1, or 1. */
  readonly place: number;
}

/** Positions of cells, from left to right by their places. */
export interface BucketLayout {
  /** In the order in which they move. */
  readonly cells: readonly Cell[];
  readonly width: number;
  readonly height: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

interface Grid {
  readonly columns: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly height: number;
  /** Indexes of cells by column. */
  readonly stacks: readonly (readonly number[])[];
}

/** Px. */
const leastHeight = 12;
const leastWidth = 3;
const mostSize = 11;
/** A column is at most one percent wide; where more cells than fit would be stacked in it, it is halved, and so on. */
const divisions = [1, 2, 3, 4, 5, 6];

function stack(places: readonly number[], columns: number): readonly (readonly number[])[] {
  const stacks: number[][] = Array.from({ length: columns }, () => []);
  for (const [at, place] of places.entries()) stacks[Math.min(columns - 1, Math.floor(place * columns))]?.push(at);
  return stacks;
}

function makeGrid(places: readonly number[], columns: number, width: number, mostHeight: number): Grid {
  const stacks = stack(places, columns);
  const most = Math.max(1, ...stacks.map(({ length }) => length));
  const cellWidth = width / columns;
  const cellHeight = Math.min(mostSize, Math.max(cellWidth, leastWidth), Math.max(2, mostHeight / most));
  return { columns, cellWidth, cellHeight, height: Math.max(leastHeight, Math.ceil(most * cellHeight)), stacks };
}

/** The coarsest grid whose cells are not flatter than wide; else the finest visible one. */
function chooseGrid(places: readonly number[], width: number, mostHeight: number): Grid {
  const grids = divisions
    .map((division) => 100 * division)
    .filter((columns) => columns === 100 || width / columns >= leastWidth)
    .map((columns) => makeGrid(places, columns, width, mostHeight));
  const [first] = grids;
  const good = grids.find(({ cellWidth, cellHeight }) => cellHeight >= Math.min(cellWidth, mostSize));
  return good ?? grids.at(-1) ?? first ?? makeGrid(places, 100, width, mostHeight);
}

/** Arranges cells in a given width in px, stacked over their places; they are given in the order of these. Pure. */
export function layOutBucket(given: readonly Unplaced[], width: number, mostHeight = 240): BucketLayout {
  const places = given.map(({ place }) => place);
  const { cellWidth, cellHeight, height, stacks } = chooseGrid(places, width, mostHeight);
  const cells: Cell[] = [];
  for (const [column, members] of stacks.entries()) {
    for (const [level, at] of members.entries()) {
      const found = given[at];
      if (found === undefined) continue;
      cells.push({ row: found.row, kind: found.kind, x: column * cellWidth, y: height - (level + 1) * cellHeight });
    }
  }
  return { cells, width, height, cellWidth, cellHeight };
}

/** The index of the cell at a point; -1 where there is none. */
export function findCell({ cells, cellWidth, cellHeight }: BucketLayout, x: number, y: number): number {
  return cells.findIndex((cell) => x >= cell.x && x < cell.x + cellWidth && y >= cell.y && y < cell.y + cellHeight);
}
