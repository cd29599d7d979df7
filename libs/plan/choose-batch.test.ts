import { decide } from "#libs/plan";
import { makeCluster, makeSpec, makeWorkload, makeWorld, moved, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

const { batch } = makeSpec(sha("x"), 0).settings;
const other = "bbbbbbbbbbbb";
/** Rolls towards a revision that main does not ask for any more, and may never get there. */
const stuck = (name: string) => moved(makeWorkload(name), "newer", other, { updated: 1 });

describe("4.2 what rolls towards something that main no longer asks for", () => {
  const cases = [
    {
      name: "4.2 goes before what is at rest, and alone: it takes no new place",
      workloads: [makeWorkload("shop/a"), stuck("shop/z")],
      batchSize: 3,
      want: ["shop/z"],
    },
    {
      name: "4.2 goes even where the batch is full of it",
      workloads: [makeWorkload("shop/a"), stuck("shop/y"), stuck("shop/z")],
      batchSize: 1,
      want: ["shop/y"],
    },
    {
      name: "4.2 at most batchSize of it go at once",
      workloads: [stuck("shop/x"), stuck("shop/y"), stuck("shop/z")],
      batchSize: 2,
      want: ["shop/x", "shop/y"],
    },
  ];
  test.each(cases)("$name", ({ workloads, batchSize, want }) => {
    const clusters = new Map([["one", makeCluster("one", workloads)]]);
    const [decision] = decide(makeWorld({ clusters, settings: { batch: { ...batch, batchSize } } }));
    const items = decision?.kind === "handOut" ? decision.batch.items : [];
    expect(items.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(want);
  });
});
