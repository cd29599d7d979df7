import { describe, expect, it } from "vitest";

import { layOutBatches, nameBatch } from "./lay-out-batches.ts";

const span = { from: 1000, until: 2000 };
const bar = (cluster: string, from: number, until: number) => ({ cluster, from, until });

describe("batches on a time axis", () => {
  it("lie in the row of their cluster, rows in the order in which clusters began", () => {
    const rows = layOutBatches([bar("west", 1000, 1500), bar("east", 1200, 1300), bar("west", 1500, 2000)], span, 2000);
    expect(rows.map(({ cluster, bars }) => [cluster, bars.map(({ x, width }) => [x, width])])).toEqual([
      [
        "west",
        [
          [0, 500],
          [500, 500],
        ],
      ],
      ["east", [[200, 100]]],
    ]);
  });

  it.each([
    { name: "one of a moment is still seen", given: bar("a", 1500, 1500), now: 2000, want: [500, 4] },
    {
      name: "one in hand reaches until now",
      given: { ...bar("a", 1500, 1500), open: true as const },
      now: 1800,
      want: [500, 300],
    },
    { name: "one before the axis is cut", given: bar("a", 0, 1500), now: 2000, want: [0, 500] },
    { name: "one after the axis is at its end", given: bar("a", 5000, 6000), now: 2000, want: [996, 4] },
  ])("$name", ({ given, now, want }) => {
    const [row] = layOutBatches([given], span, now);
    expect(row?.bars.map(({ x, width }) => [x, width])).toEqual([want]);
  });
});

it.each([
  [{ batch: 2, of: 5 }, "batch 2 of 5"],
  [{ batch: 2 }, "batch 2"],
  [{}, "a batch"],
])("a batch is named %j: %s", (given, want) => expect(nameBatch(given)).toBe(want));
