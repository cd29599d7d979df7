import type { BatchBar } from "#libs/plan";

import type { Span } from "../model/run/run-course.ts";

/** The width of a drawing, in its own units. */
export const drawingWidth = 1000;
/** A batch of a moment is still seen. */
const leastWidth = 4;

export interface LaidOutBar {
  readonly bar: BatchBar;
  readonly x: number;
  readonly width: number;
}

export interface BatchRow {
  readonly cluster: string;
  readonly bars: readonly LaidOutBar[];
}

function layOutBar(bar: BatchBar, { from, until }: Span): LaidOutBar {
  const scale = drawingWidth / Math.max(1, until - from);
  const start = Math.min(drawingWidth - leastWidth, Math.max(0, (bar.from - from) * scale));
  const end = Math.min(drawingWidth, (bar.until - from) * scale);
  return { bar, x: start, width: Math.max(leastWidth, end - start) };
}

/** The bars of each cluster on the time axis, clusters in the order in which they began. An open bar reaches until `now`. */
export function layOutBatches(bars: readonly BatchBar[], span: Span, now: number): readonly BatchRow[] {
  const present = bars.map((bar) => (bar.open === true ? { ...bar, until: Math.max(bar.until, now) } : bar));
  const rows = new Map<string, readonly BatchBar[]>();
  for (const bar of present) rows.set(bar.cluster, [...(rows.get(bar.cluster) ?? []), bar]);
  return [...rows].map(([cluster, own]) => ({ cluster, bars: own.map((bar) => layOutBar(bar, span)) }));
}

/** `batch 2 of 5`, or `a batch` where batches have no number. */
export function nameBatch({ batch, of }: Pick<BatchBar, "batch" | "of">): string {
  if (batch === undefined) return "a batch";
  return of === undefined ? `batch ${batch}` : `batch ${batch} of ${of}`;
}
