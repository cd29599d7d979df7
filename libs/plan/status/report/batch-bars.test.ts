import { describe, expect, it } from "vitest";

import { type BatchInHand, mostBars, trackBatches } from "./batch-bars.ts";
import type { BatchBar, RunSeries } from "./run-report.ts";

type Bars = Pick<RunSeries, "batches" | "cutBatches">;

/** One list of batches for each sample, a second apart. */
function follow(samples: readonly (readonly BatchInHand[])[]): Bars {
  return samples.reduce((bars: Bars, seen, at) => trackBatches(bars, seen, 1000 * at), { batches: [] });
}

const first = { cluster: "east", batch: 1, of: 2 };
const second = { cluster: "east", batch: 2, of: 2 };
const west = { cluster: "west", batch: 1, of: 1 };
const plain = { cluster: "east" };

const cases: readonly { name: string; samples: readonly (readonly BatchInHand[])[]; want: readonly BatchBar[] }[] = [
  {
    name: "a batch that is seen once has no length yet",
    samples: [[first]],
    want: [{ ...first, from: 0, until: 0, open: true }],
  },
  {
    name: "a batch grows while it is seen",
    samples: [[first], [first], [first]],
    want: [{ ...first, from: 0, until: 2000, open: true }],
  },
  {
    name: "a batch ends at the sample that sees the next one",
    samples: [[first], [second], [second]],
    want: [
      { ...first, from: 0, until: 1000 },
      { ...second, from: 1000, until: 2000, open: true },
    ],
  },
  {
    name: "a batch that is over stays as it was",
    samples: [[first], [], []],
    want: [{ ...first, from: 0, until: 1000 }],
  },
  {
    name: "each cluster has its own bars",
    samples: [[first], [first, west]],
    want: [
      { ...first, from: 0, until: 1000, open: true },
      { ...west, from: 1000, until: 1000, open: true },
    ],
  },
  {
    name: "a batch without a number that comes again is another bar",
    samples: [[plain], [], [plain]],
    want: [
      { ...plain, from: 0, until: 1000 },
      { ...plain, from: 2000, until: 2000, open: true },
    ],
  },
  {
    name: "the number of batches may grow while one is in hand",
    samples: [[first], [{ ...first, of: 3 }]],
    want: [{ ...first, of: 3, from: 0, until: 1000, open: true }],
  },
];

describe("the batches of a run over time", () => {
  it.each(cases)("$name", ({ samples, want }) => {
    expect(follow(samples).batches).toEqual(want);
  });

  it("are bounded: the oldest are cut, and counted", () => {
    const { batches, cutBatches } = follow(
      Array.from({ length: mostBars + 20 }, (_, at) => [{ cluster: "east", batch: at + 1, of: 400 }]),
    );
    expect([batches.length, batches[0]?.batch, batches.at(-1)?.batch, cutBatches]).toEqual([300, 21, 320, 20]);
  });
});
