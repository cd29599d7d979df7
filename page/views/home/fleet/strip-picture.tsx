import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";

import { describeBucket, describeGoal, nameKind } from "../../../drawing/describe-bucket.ts";
import { type BucketLayout, type Cell, findCell, layOutBucket } from "../../../drawing/lay-out-bucket.ts";
import { paintBucket } from "../../../drawing/paint-bucket.ts";
import type { Strip } from "../../../drawing/strips.ts";
import { keepTime, open } from "../../../live/address.ts";
import { linkNamespace } from "../../../model/places.ts";
import { readColours } from "../../../parts/read-colours.ts";
import { stepCell, useColourChange, useWidth } from "./use-strip-layout.ts";

interface Props {
  readonly strip: Strip;
  /** Percentages of the line after coming stages. */
  readonly coming: readonly number[];
  /** Names that match the filter; undefined = all. */
  readonly chosen: ReadonlySet<string> | undefined;
}

/** Px: a fleet has few buckets, and may have many clusters. */
const mostHeights = { bucket: 240, cluster: 72 } as const;

function Selected({ cell, strip }: { readonly cell: Cell | undefined; readonly strip: Strip }) {
  if (cell === undefined) return null;
  const [name, , movesAt, , , , , unhealthy] = cell.row;
  return (
    <span class="picked">
      <a href={keepTime(linkNamespace(name))}>
        <bdi>{name}</bdi>
      </a>{" "}
      {nameKind(cell.kind)}
      {movesAt === null ? null : `, moves above ${movesAt} %`}
      {unhealthy === 0 ? null : (
        <span class="warn">
          , lacks pods{strip.by === "cluster" && cell.row[8].length > 1 ? " in one of its clusters" : ""}
        </span>
      )}
    </span>
  );
}

function paint(canvas: HTMLCanvasElement | null, layout: BucketLayout, props: Props, selected: Cell | undefined): void {
  const surface = canvas?.getContext("2d");
  if (canvas === null || surface === null || surface === undefined || layout.width === 0) return;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(layout.width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  surface.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { strip, coming, chosen } = props;
  const isChosen = ({ row: [name] }: Cell) => chosen === undefined || chosen.has(name);
  const requested = strip.line === undefined ? {} : { requested: strip.line };
  paintBucket(surface, { layout, coming, isChosen, selected, ...requested }, readColours(canvas));
}

/** Labels of percentages that are closer than this would overlap. */
const leastApart = 5;

/** The labels under a bucket: the ends, the requested share, and the coming stages. A cluster's line has no percentage. */
function listTicks({ by, line }: Strip, coming: readonly number[]): readonly number[] {
  if (line === undefined || by === "cluster") return [];
  const ticks: number[] = [0, 100];
  for (const percent of [line, ...coming]) {
    if (ticks.every((tick) => Math.abs(tick - percent) >= leastApart)) ticks.push(percent);
  }
  return ticks.toSorted((a, b) => a - b);
}

function Axis({ strip, coming }: Pick<Props, "strip" | "coming">) {
  const ticks = listTicks(strip, coming);
  if (ticks.length === 0) return null;
  const align = (percent: number) => (percent < 10 ? "at-start" : percent > 90 ? "at-end" : "");
  return (
    <div class="axis" aria-hidden="true">
      {ticks.map((percent) => (
        <span
          key={percent}
          class={`${percent === strip.line ? "requested" : ""} ${align(percent)}`}
          style={{ left: `${percent}%` }}
        >
          {percent} %
        </span>
      ))}
    </div>
  );
}

/** One bucket or cluster as cells, with a line between what main requests and what is to come. */
export function StripPicture(props: Props) {
  const { strip, coming, chosen } = props;
  const [box, canvas] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null)];
  const [width, changes, at] = [useWidth(box), useColourChange(), useSignal(-1)];
  const layout = useMemo(
    () => layOutBucket(strip.cells, width.value, mostHeights[strip.by]),
    [strip.cells, strip.by, width.value],
  );
  const selected = layout.cells[at.value];
  // Only what changed is painted: there may be fifty of these.
  useLayoutEffect(
    () => paint(canvas.current, layout, props, selected),
    [layout, strip.line, coming.join(), chosen, selected, changes.value],
  );
  const sentence = useMemo(() => describeBucket(strip), [strip]);
  const point = ({ offsetX, offsetY }: MouseEvent) => void (at.value = findCell(layout, offsetX, offsetY));
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && selected !== undefined) return open(keepTime(linkNamespace(selected.row[0])));
    const next = stepCell(event.key, at.value, layout.cells.length);
    if (next === undefined) return;
    event.preventDefault();
    at.value = next;
  };
  return (
    <figure class={`bucket by-${strip.by}`}>
      <figcaption>
        <code>
          <bdi>{strip.name}</bdi>
        </code>{" "}
        <b>{strip.cells.length}</b> <span class="quiet">{describeGoal(strip)}</span>
        <span class="pick" aria-live="polite">
          <Selected cell={selected} strip={strip} />
        </span>
      </figcaption>
      <div class="cells" ref={box} role="group" tabIndex={0} aria-label={sentence} onKeyDown={press}>
        <canvas
          ref={canvas}
          aria-hidden="true"
          style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
          onMouseMove={point}
          onClick={() => (selected === undefined ? undefined : open(keepTime(linkNamespace(selected.row[0]))))}
        />
      </div>
      <Axis strip={strip} coming={coming} />
    </figure>
  );
}
