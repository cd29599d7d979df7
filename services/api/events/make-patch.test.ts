import { expect, it } from "vitest";

import { makePatch } from "./make-patch.ts";

const web = { cluster: "east", run: "r1", workloads: ["a", "b", "c"] };
const cases = [
  { name: "nothing", before: { a: [1] }, after: { a: [1] }, patch: [] },
  {
    name: "a workload leaves a list and another enters",
    before: { rollouts: [web] },
    after: { rollouts: [{ ...web, workloads: ["a", "c", "d"] }] },
    patch: [
      { op: "remove", path: "/rollouts/0/workloads/1" },
      { op: "add", path: "/rollouts/0/workloads/2", value: "d" },
    ],
  },
  {
    name: "a count of an entry that moved up",
    before: {
      clusters: [
        { name: "east", count: 1 },
        { name: "west", count: 1, problems: [] },
      ],
    },
    after: { clusters: [{ name: "west", count: 2, problems: [] }] },
    patch: [
      { op: "remove", path: "/clusters/0" },
      { op: "replace", path: "/clusters/0/count", value: 2 },
    ],
  },
  {
    name: "another order",
    before: ["a", "b", "c"],
    after: ["c", "a", "b"],
    patch: [{ op: "move", from: "/2", path: "/0" }],
  },
  {
    name: "one of two equal entries",
    before: ["a", "b", "a"],
    after: ["a", "a"],
    patch: [{ op: "remove", path: "/1" }],
  },
  {
    name: "a key that every object inherits",
    before: { by: {} },
    after: { by: { constructor: 1 } },
    patch: [{ op: "add", path: "/by/constructor", value: 1 }],
  },
  {
    name: "another kind of value",
    before: { a: [] },
    after: { a: {} },
    patch: [{ op: "replace", path: "/a", value: {} }],
  },
];
it("a list that is too long to compare is sent whole", () => {
  const long = Array.from({ length: 1001 }, (_, at) => at);
  const patch = makePatch(JSON.stringify({ a: long }), JSON.stringify({ a: [...long, 7] }));
  expect(JSON.parse(patch)).toEqual([{ op: "replace", path: "/a", value: [...long, 7] }]);
});

it.each(cases)("$name", ({ before, after, patch }) => {
  expect(JSON.parse(makePatch(JSON.stringify(before), JSON.stringify(after)))).toEqual(patch);
});
