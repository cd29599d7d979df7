import { describe, expect, it } from "vitest";

import { findFigures, listRevisions, printDifference, sumFigures } from "./cluster-figures.ts";

const east = {
  name: "east",
  mixed: 1,
  revisions: [
    { revision: "old", requested: 3, actual: 5, healthy: 4 },
    { revision: "new", requested: 7, actual: 4, healthy: 4 },
  ],
};
const west = { name: "west", mixed: 0, revisions: [{ revision: "new", requested: 2, actual: 2, healthy: 2 }] };

describe("figures of clusters by revision", () => {
  it("a cluster without workloads of a revision has zeros, and so has one that is not counted", () => {
    const zeros = { requested: 0, actual: 0, healthy: 0 };
    expect([findFigures(west, "old"), findFigures(undefined, "old")]).toEqual([zeros, zeros]);
  });

  it("sums are over all clusters", () => {
    expect(sumFigures([east, west], "new")).toEqual({ requested: 9, actual: 6, healthy: 6 });
  });

  it("the chosen revision has the only columns", () => {
    const revisions = ["b", "a"];
    expect(["", "b", "gone"].map((chosen) => listRevisions({ revisions }, chosen))).toEqual([["a", "b"], ["b"], []]);
  });

  it("the difference has its sign, and is left out where there is none", () => {
    const print = (requested: number, actual: number) => printDifference({ requested, actual, healthy: 0 });
    expect([print(3, 5), print(7, 4), print(2, 2)]).toEqual(["+2", "−3", ""]);
  });
});
