import type { TableBucket } from "#libs/plan";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";

import { type BucketLayout, type Cell, findCell, layOutBucket } from "../../drawing/lay-out-bucket.ts";
import { countKinds, describeBucket, nameKind } from "../../drawing/describe-bucket.ts";
import { paintBucket } from "../../drawing/paint-bucket.ts";
import { keepTime, open } from "../../live/address.ts";
import { linkNamespace } from "../../model/places.ts";
import { readColours } from "../../parts/read-colours.ts";

interface Props {
  readonly bucket: TableBucket;
  readonly cells: readonly Pick<Cell, "row" | "kind">[];
  readonly coming: readonly number[];
  /** Names that match the filter; undefined = all. */
  readonly chosen: ReadonlySet<string> | undefined;
}

/** The cell that a key moves to; undefined for other keys. */
function step(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  const steps: ReadonlyMap<string, number> = new Map([
    ["ArrowRight", Math.min(last, at + 1)],
    ["ArrowUp", Math.min(last, at + 1)],
    ["ArrowLeft", Math.max(0, at - 1)],
    ["ArrowDown", Math.max(0, at - 1)],
    ["PageDown", Math.min(last, at + 10)],
    ["PageUp", Math.max(0, at - 10)],
    ["Home", 0],
    ["End", last],
  ]);
  return steps.get(key);
}

function Selected({ cell }: { readonly cell: Cell | undefined }) {
  if (cell === undefined) return <p class="picked quiet">Point at a cell, or use the arrow keys.</p>;
  const [name, , movesAt] = cell.row;
  return (
    <p class="picked">
      <a href={keepTime(linkNamespace(name))}>
        <bdi>{name}</bdi>
      </a>{" "}
      {nameKind(cell.kind)}
      {movesAt === null ? null : `, moves above ${movesAt} %`}
    </p>
  );
}

/** The width of the container, px; it follows the window. */
function useWidth(box: { readonly current: HTMLDivElement | null }) {
  const width = useSignal(0);
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => void (width.value = Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return width;
}

function paint(canvas: HTMLCanvasElement | null, layout: BucketLayout, props: Props, selected: Cell | undefined): void {
  const surface = canvas?.getContext("2d");
  if (canvas === null || surface === null || surface === undefined || layout.width === 0) return;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(layout.width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  surface.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { bucket, coming, chosen } = props;
  const requested = bucket.shares.find(({ revision }) => revision === bucket.to)?.requested;
  const isChosen = ({ row: [name] }: Cell) => chosen === undefined || chosen.has(name);
  const painting = { layout, coming, isChosen, selected, ...(requested === undefined ? {} : { requested }) };
  paintBucket(surface, painting, readColours(canvas));
}

/** Labels of percentages that are closer than this would overlap. */
const leastApart = 5;

/** The labels under the picture: the ends, the requested share, and the coming stages. */
function listTicks(coming: readonly number[], requested: number | undefined): readonly number[] {
  const inner = [...(requested === undefined ? [] : [requested]), ...coming];
  const ticks: number[] = [0, 100];
  for (const percent of inner) if (ticks.every((tick) => Math.abs(tick - percent) >= leastApart)) ticks.push(percent);
  return ticks.sort((a, b) => a - b);
}

/** One bucket of the fleet as cells, with a line at the share in main. */
export function BucketPicture(props: Props) {
  const { bucket, cells, coming } = props;
  const [box, canvas] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null)];
  const width = useWidth(box);
  const at = useSignal(-1);
  const layout = useMemo(() => layOutBucket(cells, width.value), [cells, width.value]);
  const selected = layout.cells[at.value];
  const dark = useSignal(0);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const again = () => void (dark.value += 1);
    query.addEventListener("change", again);
    return () => query.removeEventListener("change", again);
  }, []);
  useLayoutEffect(() => paint(canvas.current, layout, props, selected));
  const sentence = useMemo(() => describeBucket(bucket, countKinds(cells)), [bucket, cells]);
  const point = ({ offsetX, offsetY }: MouseEvent) => void (at.value = findCell(layout, offsetX, offsetY));
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && selected !== undefined) return open(keepTime(linkNamespace(selected.row[0])));
    const next = step(event.key, at.value, layout.cells.length);
    if (next === undefined) return;
    event.preventDefault();
    at.value = next;
  };
  const requested = bucket.shares.find(({ revision }) => revision === bucket.to)?.requested;
  return (
    <figure class="bucket" data-redraw={dark.value}>
      <figcaption>
        <code>
          <bdi>{bucket.bucket}</bdi>
        </code>{" "}
        <b>{cells.length}</b>
        {requested === undefined ? null : (
          <span class="quiet">
            {requested} % requested on {bucket.to}
          </span>
        )}
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
      {bucket.to === undefined ? null : (
        <div class="axis" aria-hidden="true">
          {listTicks(coming, requested).map((percent) => (
            <span key={percent} class={percent === requested ? "requested" : ""} style={{ left: `${percent}%` }}>
              {percent} %
            </span>
          ))}
        </div>
      )}
      <div aria-live="polite">
        <Selected cell={selected} />
      </div>
    </figure>
  );
}
