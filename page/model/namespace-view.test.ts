import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { type Filter, filterRows, readRow, sortRows } from "./namespace-view.ts";

const rows: readonly NamespaceRow[] = [
  ["ads", 0, 70, 0, 0, 1, 3, 0, [0, 1]],
  ["booking", 0, 20, 1, 0, 0, 5, 2, [0]],
  ["maps-staging", 1, null, 1, -1, 1, 1, 0, [1]],
];
const table: NamespaceTable = {
  apiVersion: "meshroll.dev/v1",
  kind: "NamespaceTable",
  at: "",
  head: "",
  revisions: ["old", "new"],
  states: ["Failed", "OnTrack"],
  buckets: [
    { bucket: "production", shares: [], to: "new" },
    { bucket: ".*-staging", shares: [] },
  ],
  clusters: [
    { name: "east", revisions: [], mixed: 0 },
    { name: "west", revisions: [], mixed: 0 },
  ],
  rows,
};
const all: Filter = { text: "", state: "", cluster: "", bucket: "", revision: "" };

const cases: readonly { readonly name: string; readonly filter: Partial<Filter>; readonly want: readonly string[] }[] =
  [
    { name: "nothing is looked for", filter: {}, want: ["ads", "booking", "maps-staging"] },
    { name: "a part of a name, in whatever case", filter: { text: " BOOK" }, want: ["booking"] },
    { name: "a state", filter: { state: "OnTrack" }, want: ["ads", "maps-staging"] },
    { name: "a cluster", filter: { cluster: "west" }, want: ["ads", "maps-staging"] },
    { name: "a bucket", filter: { bucket: ".*-staging" }, want: ["maps-staging"] },
    { name: "what runs", filter: { revision: "old" }, want: ["ads", "booking"] },
    { name: "several at once", filter: { revision: "old", cluster: "west" }, want: ["ads"] },
    { name: "a revision that there is not", filter: { revision: "constructor" }, want: [] },
    { name: "a cluster that there is not", filter: { cluster: "toString" }, want: [] },
  ];

describe("filterRows", () => {
  it.each(cases)("keeps matching rows: $name", ({ filter, want }) =>
    expect(filterRows(table, { ...all, ...filter }).map(([name]) => name)).toEqual(want),
  );
});

describe("sortRows", () => {
  it.each([
    { by: "movesAt", want: ["booking", "ads", "maps-staging"] },
    { by: "-movesAt", want: ["maps-staging", "ads", "booking"] },
    { by: "-name", want: ["maps-staging", "booking", "ads"] },
    { by: "state", want: ["booking", "ads", "maps-staging"] },
    { by: "constructor", want: ["ads", "booking", "maps-staging"] },
  ])("by $by", ({ by, want }) => expect(sortRows(rows, by).map(([name]) => name)).toEqual(want));
});

it("a namespace has no single revision where several run", () => {
  const [, , mixed] = rows.map((row) => readRow(table, row));
  expect(mixed).toMatchObject({ actual: undefined, movesAt: undefined, to: undefined, clusters: ["west"] });
});
