import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

import type { Span } from "../../model/run/run-course.ts";
import { type ChartColour, type ChartColours, followColours, readChartColours } from "./chart-colours.ts";

/** One line of a chart; it holds each value until the next one. */
export interface ChartLine {
  readonly values: readonly number[];
  readonly colour: ChartColour;
  /** Fills the area below it. */
  readonly fill?: ChartColour;
  readonly width?: number;
  readonly dash?: readonly number[];
}

interface ChartProps {
  /** The chart in a sentence, for those who do not see it. */
  readonly label: string;
  readonly height: number;
  readonly span: Span;
  /** Epoch ms, rising; one value of each line belongs to each. */
  readonly times: readonly number[];
  /** The number and the colours of lines stay the same. */
  readonly lines: readonly ChartLine[];
  /** The values at the ends of the axis. */
  readonly bottom?: number;
  readonly top: number;
  /** Values are whole numbers. */
  readonly whole?: boolean;
}

/** The width of the axis on the left, px: the bars below have the same. */
const axisWidth = 44;
const padding: [number, number, number, number] = [8, 12, 0, 0];

const day = 86_400_000;
const clockOnly = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const withSeconds = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const withDay = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** Texts of the time axis: as much of a time as its distances need. */
function printTicks(ticks: readonly number[]): readonly string[] {
  const step = (ticks[1] ?? Infinity) - (ticks[0] ?? 0);
  const format = step >= day ? withDay : step < 60_000 ? withSeconds : clockOnly;
  return ticks.map((tick) => format.format(new Date(tick)));
}

/** The whole numbers at which an axis may have lines. */
const wholeSteps = Array.from({ length: 8 }, (_, at) => [1, 2, 5].map((each) => each * 10 ** at)).flat();

function toData({ times, lines }: ChartProps): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

/** With some room above the highest line. */
function findRange({ bottom = 0, top }: ChartProps): [number, number] {
  return top > bottom ? [bottom, top + 0.06 * (top - bottom)] : [bottom, bottom + 1];
}

/** `read` gives what is drawn now: the options are made once. */
function makeOptions(width: number, read: () => ChartProps, colours: () => ChartColours, font: string): uPlot.Options {
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const axis = { font, stroke: () => colours().quiet, ticks: { show: false } };
  const grid = { stroke: () => colours().line, width: 1 };
  return {
    width,
    height: read().height,
    padding,
    ms: 1,
    cursor: { show: false },
    legend: { show: false },
    scales: {
      x: { range: () => [read().span.from, read().span.until] },
      y: { range: () => findRange(read()) },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 76, size: 24, gap: 4, values: (_, ticks) => [...printTicks(ticks)] },
      { ...axis, grid, space: 26, size: axisWidth, gap: 4, ...(read().whole === true ? { incrs: wholeSteps } : {}) },
    ],
    series: [
      {},
      ...read().lines.map(({ colour, fill, width: wide = 2, dash }): uPlot.Series => {
        return {
          stroke: () => colours()[colour],
          ...(fill === undefined ? {} : { fill: () => colours()[fill] }),
          ...(stepped === undefined ? {} : { paths: stepped }),
          ...(dash === undefined ? {} : { dash: [...dash] }),
          width: wide,
          points: { show: false },
        };
      }),
    ],
  };
}

/** Draws into the box until the returned function is called; `draw` shows what changed. */
function openPlot(box: HTMLElement, read: () => ChartProps): { draw(): void; close(): void } {
  let colours = readChartColours(box);
  const font = `12px ${getComputedStyle(box).fontFamily}`;
  const plot = new uPlot(
    makeOptions(box.clientWidth, read, () => colours, font),
    toData(read()),
    box,
  );
  const size = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: read().height }));
  size.observe(box);
  const unfollow = followColours(() => {
    colours = readChartColours(box);
    plot.redraw(false, true);
  });
  return {
    draw: () => plot.setData(toData(read())),
    close() {
      size.disconnect();
      unfollow();
      plot.destroy();
    },
  };
}

/** Lines over time. It has no parts to point at: the table next to it has every value. */
export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof openPlot>>(undefined);
  const newest = useRef(props);
  newest.current = props;
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const opened = openPlot(box.current, () => newest.current);
    plot.current = opened;
    return () => opened.close();
  }, [props.lines.length]);
  useLayoutEffect(() => plot.current?.draw(), [props.times, props.lines, props.span.until, props.bottom, props.top]);
  return (
    <div class="chart" style={{ minHeight: `${props.height}px` }}>
      <div role="img" aria-label={props.label} ref={box} />
    </div>
  );
}
