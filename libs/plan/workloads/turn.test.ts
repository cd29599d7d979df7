import type { Workload } from "#libs/fleet";
import { decide } from "#libs/plan";
import { makeCluster, makeSpec, makeWorkload, makeSnapshot, sha } from "#test/world/build";
import { clusters } from "#test/world/decide-cases";
import { describe, expect, test } from "vitest";

import { alternate, chooseTurn } from "./turn.ts";

const { batch } = makeSpec(sha("x"), 0).settings;

/** `namespace/name` of the workloads in the next batch, in its order. */
function deal(workloads: readonly Workload[], batchSize: number): string {
  const settings = { batch: { ...batch, batchSize } };
  const [first] = decide(makeSnapshot({ clusters: clusters(makeCluster("one", workloads)), settings }));
  if (first?.kind !== "handOut") return first?.kind ?? "nothing";
  return first.batch.items.map(({ namespace, name }) => `${namespace}/${name}`).join(" ");
}

/** Workloads `a`, `b`, ... of one namespace, of which some have migrated. */
function crowd(namespace: string, count: number, migrated: readonly string[] = []): readonly Workload[] {
  const names = Array.from({ length: count }, (_, index) => String.fromCodePoint(97 + index));
  return names.map((name) => makeWorkload(`${namespace}/${name}`, {}, migrated.includes(name) ? "new" : "old"));
}

describe("4.7 due workloads take turns by namespace", () => {
  const all = [...crowd("a", 5), ...crowd("b", 2), ...crowd("c", 1)];
  const cases = [
    {
      name: "the first workload of each namespace before any second one",
      workloads: all,
      size: 4,
      want: "a/a b/a c/a a/b",
    },
    {
      name: "the second workload of each namespace before any third one",
      workloads: all,
      size: 6,
      want: "a/a b/a c/a a/b b/b a/c",
    },
    {
      name: "a namespace that had its turn waits for the others",
      workloads: [...crowd("a", 5, ["a"]), ...crowd("b", 2), ...crowd("c", 1)],
      size: 3,
      want: "b/a c/a a/b",
    },
  ];
  test.each(cases)("$name", ({ workloads, size, want }) => {
    expect(deal(workloads, size)).toBe(want);
  });

  test("a thousand workloads of one namespace have twelve turns", () => {
    const turns = Array.from({ length: 1000 }, (_, place) => chooseTurn(place));
    expect(turns.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 4, 4, 4, 5]);
    expect(new Set(turns).size).toBe(12);
    expect(turns).toEqual(turns.toSorted((a, b) => a - b));
  });
});

describe("alternating between two lists", () => {
  const cases = [
    { name: "of equal length", a: [1, 3], b: [2, 4], want: [1, 2, 3, 4] },
    { name: "the first is longer", a: [1, 3, 4, 5], b: [2], want: [1, 2, 3, 4, 5] },
    { name: "the second is longer", a: [1], b: [2, 3, 4], want: [1, 2, 3, 4] },
    { name: "one is empty", a: [], b: [1, 2], want: [1, 2] },
  ];
  test.each(cases)("$name", ({ a, b, want }) => {
    expect([...alternate(a, b)]).toEqual(want);
  });
});
