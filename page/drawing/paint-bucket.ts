import type { BucketLayout, Cell } from "./lay-out-bucket.ts";
import { type CellKind, cellKinds } from "./cell-kind.ts";

/** The part of a canvas context that is used. */
export interface Surface {
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  globalAlpha: number;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  clearRect(x: number, y: number, width: number, height: number): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  stroke(): void;
}

/** CSS colours by meaning. */
export interface Colours {
  readonly ground: string;
  readonly ink: string;
  readonly fresh: string;
  readonly freshSoft: string;
  readonly old: string;
  readonly oldSoft: string;
  readonly moving: string;
  readonly movingSoft: string;
  readonly failed: string;
}

export interface Painting {
  readonly layout: BucketLayout;
  /** Percent that main gives to the growing revision: a line; absent where there is none. */
  readonly requested?: number;
  /** Percentages of the line after each coming stage. */
  readonly coming: readonly number[];
  /** Whether a cell matches the filter; the others are pale. */
  readonly isChosen: (cell: Cell) => boolean;
  /** The cell with the keyboard focus. */
  readonly selected: Cell | undefined;
}

/** Between two cells, px. */
const gap = 1;

const fills: Readonly<Record<CellKind, keyof Colours>> = {
  done: "fresh",
  moving: "moving",
  waiting: "movingSoft",
  failed: "failed",
  pending: "old",
  skipped: "oldSoft",
  toCome: "oldSoft",
};

/** A pattern over the colour, as lines between parts of a cell, for people who do not see colours. */
const signs: Readonly<
  Partial<Record<CellKind, { readonly colour: keyof Colours; readonly lines: readonly number[] }>>
> = {
  moving: { colour: "ground", lines: [0, 1, 1, 0] },
  waiting: { colour: "moving", lines: [0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0] },
  failed: { colour: "ground", lines: [0.15, 0.15, 0.85, 0.85, 0.15, 0.85, 0.85, 0.15] },
  skipped: { colour: "old", lines: [0, 0.5, 1, 0.5] },
};

/** Its pale cell alone would be too close to the ground: a dot in it has enough contrast. */
const dotted: ReadonlySet<CellKind> = new Set(["toCome"]);

function paintDots(
  surface: Surface,
  cells: readonly Cell[],
  kind: CellKind,
  [width, height]: readonly [number, number],
  colours: Colours,
): void {
  if (!dotted.has(kind)) return;
  const size = Math.max(1, Math.round(Math.min(width, height) / 4));
  surface.fillStyle = colours.old;
  for (const { x, y } of cells) surface.fillRect(x + (width - size) / 2, y + (height - size) / 2, size, size);
}

function paintSigns(
  surface: Surface,
  cells: readonly Cell[],
  kind: CellKind,
  size: readonly [number, number],
  colours: Colours,
): void {
  const sign = signs[kind];
  if (sign === undefined || cells.length === 0) return;
  const [width, height] = size;
  surface.strokeStyle = colours[sign.colour];
  surface.lineWidth = 1;
  surface.beginPath();
  for (const { x, y } of cells) {
    for (let at = 0; at < sign.lines.length; at += 4) {
      const [fromX = 0, fromY = 0, toX = 0, toY = 0] = sign.lines.slice(at, at + 4);
      surface.moveTo(x + fromX * width, y + fromY * height);
      surface.lineTo(x + toX * width, y + toY * height);
    }
  }
  surface.stroke();
}

/** Cells of one colour are painted together: changing the colour costs more than a cell. */
function groupKinds(cells: readonly Cell[]): ReadonlyMap<CellKind, readonly Cell[]> {
  const groups = new Map<CellKind, Cell[]>();
  for (const cell of cells) {
    const group = groups.get(cell.kind);
    if (group === undefined) groups.set(cell.kind, [cell]);
    else group.push(cell);
  }
  return groups;
}

function paintCells(
  surface: Surface,
  cells: readonly Cell[],
  { cellWidth, cellHeight }: BucketLayout,
  colours: Colours,
): void {
  const [width, height] = [Math.max(1, cellWidth - gap), Math.max(1, cellHeight - gap)];
  const byKind = groupKinds(cells);
  for (const kind of cellKinds) {
    const some = byKind.get(kind) ?? [];
    surface.fillStyle = colours[fills[kind]];
    for (const { x, y } of some) surface.fillRect(x, y, width, height);
    paintSigns(surface, some, kind, [width, height], colours);
    paintDots(surface, some, kind, [width, height], colours);
  }
  // Migrated and healthy differ: a cell whose namespace lacks pods has a notch, on any revision.
  surface.fillStyle = colours.failed;
  for (const { x, y, row } of cells) {
    if (row[7] > 0) surface.fillRect(x + width / 2, y, width / 2, height / 2);
  }
}

function paintLine(surface: Surface, percent: number, { width, height }: BucketLayout, lineWidth: number): void {
  const x = Math.min(width - lineWidth / 2, Math.max(lineWidth / 2, (percent / 100) * width));
  surface.lineWidth = lineWidth;
  surface.beginPath();
  surface.moveTo(x, 0);
  surface.lineTo(x, height);
  surface.stroke();
}

/** Paints a bucket: its cells, the line at the requested percentage, and where coming stages move it. */
export function paintBucket(surface: Surface, painting: Painting, colours: Colours): void {
  const { layout, requested, coming, isChosen, selected } = painting;
  surface.globalAlpha = 1;
  surface.clearRect(0, 0, layout.width, layout.height);
  if (requested !== undefined) {
    surface.fillStyle = colours.freshSoft;
    surface.fillRect(0, 0, (requested / 100) * layout.width, layout.height);
  }
  surface.globalAlpha = 0.18;
  paintCells(
    surface,
    layout.cells.filter((cell) => !isChosen(cell)),
    layout,
    colours,
  );
  surface.globalAlpha = 1;
  paintCells(surface, layout.cells.filter(isChosen), layout, colours);
  surface.strokeStyle = colours.old;
  for (const percent of coming) paintLine(surface, percent, layout, 1);
  surface.strokeStyle = colours.ink;
  if (requested !== undefined) paintLine(surface, requested, layout, 2);
  if (selected === undefined) return;
  surface.lineWidth = 2;
  surface.strokeRect(selected.x - 1.5, selected.y - 1.5, layout.cellWidth + 2, layout.cellHeight + 2);
}
