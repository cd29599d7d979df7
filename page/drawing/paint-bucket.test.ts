import type { NamespaceRow } from "#libs/plan";
import { expect, it } from "vitest";

import { type CellKind, cellKinds } from "./cell-kind.ts";
import { layOutBucket } from "./lay-out-bucket.ts";
import { type Colours, paintBucket, type Surface } from "./paint-bucket.ts";

const colours: Colours = {
  ground: "ground",
  ink: "ink",
  fresh: "fresh",
  freshSoft: "fresh-soft",
  old: "old",
  oldSoft: "old-soft",
  moving: "moving",
  movingSoft: "moving-soft",
  failed: "failed",
};

/** Records what was painted, with colour and opacity. */
function record() {
  const painted: { what: string; colour: unknown; alpha: number; x: number }[] = [];
  const surface: Surface = {
    fillStyle: "",
    strokeStyle: "",
    lineWidth: 1,
    globalAlpha: 1,
    fillRect: (x) => painted.push({ what: "fill", colour: surface.fillStyle, alpha: surface.globalAlpha, x }),
    strokeRect: (x) => painted.push({ what: "frame", colour: surface.strokeStyle, alpha: surface.globalAlpha, x }),
    clearRect: () => undefined,
    beginPath: () => undefined,
    moveTo: (x) => painted.push({ what: "line", colour: surface.strokeStyle, alpha: surface.globalAlpha, x }),
    lineTo: () => undefined,
    stroke: () => undefined,
  };
  return { surface, painted };
}

const make = (kind: CellKind, movesAt: number, unhealthy = 0) => {
  const row: NamespaceRow = [kind, 0, movesAt, 0, 0, 0, 1, unhealthy, [0]];
  return { row, kind, place: movesAt / 100 };
};

it("each kind has its own colour or sign", () => {
  const looks = cellKinds.map((kind) => {
    const { surface, painted } = record();
    const layout = layOutBucket([make(kind, 50)], 1000);
    paintBucket(surface, { layout, coming: [], isChosen: () => true, selected: undefined }, colours);
    return JSON.stringify(painted.map(({ what, colour, x }) => [what, colour, x]));
  });
  expect(new Set(looks).size).toBe(cellKinds.length);
});

it("the main line is at the requested share, thin ones at those of later stages, and cells outside the search are pale", () => {
  const { surface, painted } = record();
  const layout = layOutBucket([make("done", 10), make("toCome", 90, 1)], 1000);
  const [first] = layout.cells;
  paintBucket(
    surface,
    { layout, requested: 25, coming: [50], isChosen: ({ kind }) => kind === "done", selected: first },
    colours,
  );
  expect(painted.filter(({ what }) => what === "line").map(({ x, colour }) => [x, colour])).toEqual([
    [500, "old"],
    [250, "ink"],
  ]);
  const alphas = painted.flatMap(({ colour, alpha }) =>
    colour === "old-soft" || colour === "fresh" ? [[colour, alpha]] : [],
  );
  expect(alphas).toEqual([
    ["old-soft", 0.18],
    ["fresh", 1],
  ]);
  // The notch of a workload that lacks pods, and the frame of the selected one.
  expect(painted.some(({ colour }) => colour === "failed")).toBe(true);
  expect(painted.filter(({ what }) => what === "frame")).toHaveLength(1);
});
