import type { BatchBar, RunSeries } from "./run-report.ts";

/** The most bars of a series. @internal */
export const mostBars = 300;

/** A batch that a sample sees in a cluster; without a number where the run has no campaign. */
export type BatchInHand = Pick<BatchBar, "cluster" | "batch" | "of">;

type Bars = Pick<RunSeries, "batches" | "cutBatches">;

function isBarOf(bar: BatchBar, { cluster, batch }: BatchInHand): boolean {
  return bar.open === true && bar.cluster === cluster && bar.batch === batch;
}

function closeBar(bar: BatchBar, t: number): BatchBar {
  const { open: _, ...closed } = bar;
  return { ...closed, until: t };
}

/** Ends the open bars: this sample is the first without their batches. */
export function closeBars(bars: readonly BatchBar[], t: number): readonly BatchBar[] {
  return bars.map((bar) => (bar.open === true ? closeBar(bar, t) : bar));
}

/** The bars after a sample: batches that it sees again grow, new ones begin, and the others are over. */
export function trackBatches({ batches, cutBatches = 0 }: Bars, seen: readonly BatchInHand[], t: number): Bars {
  const known = batches.map((bar) => {
    if (bar.open !== true) return bar;
    const again = seen.find((each) => isBarOf(bar, each));
    return again === undefined ? closeBar(bar, t) : { ...bar, ...again, until: t };
  });
  const begun = seen
    .filter((each) => !batches.some((bar) => isBarOf(bar, each)))
    .map((each): BatchBar => ({ ...each, from: t, until: t, open: true }));
  const all = [...known, ...begun];
  const cut = cutBatches + Math.max(0, all.length - mostBars);
  return { batches: all.slice(-mostBars), ...(cut === 0 ? {} : { cutBatches: cut }) };
}
