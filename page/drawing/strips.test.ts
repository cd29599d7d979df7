import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { describeBucket, describeGoal } from "./describe-bucket.ts";
import { listBucketStrips, listClusterStrips } from "./strips.ts";

const [failed, moving, onTrack] = [0, 1, 5];

/** `requested`: 1 is the growing revision. */
function makeRow(name: string, change: Partial<Record<"bucket" | "movesAt" | "requested" | "state", number>> = {}) {
  const { bucket = 0, movesAt = 10, requested = 1, state = onTrack } = change;
  return (clusters: readonly number[], unhealthy = 0, states?: readonly number[]): NamespaceRow => {
    const row: NamespaceRow = [name, bucket, movesAt, requested, 0, state, 1, unhealthy, clusters];
    return states === undefined ? row : ([...row.slice(0, 9), states] as unknown as NamespaceRow);
  };
}

const table: NamespaceTable = {
  apiVersion: "meshroll.dev/v1",
  kind: "NamespaceTable",
  at: "2026-11-19T12:00:00.000Z",
  head: "a".repeat(40),
  revisions: ["old", "new"],
  states: ["Failed", "Moving", "Waiting", "Pending", "Skipped", "OnTrack"],
  buckets: [
    {
      bucket: "production",
      shares: [
        { revision: "old", requested: 75 },
        { revision: "new", requested: 25 },
      ],
      to: "new",
    },
    {
      bucket: "staging",
      shares: [
        { revision: "old", requested: 0 },
        { revision: "new", requested: 100 },
      ],
      to: "new",
    },
    { bucket: "pinned", shares: [{ revision: "old", requested: 100 }] },
  ],
  clusters: ["east", "west", "empty"].map((name) => ({ name, revisions: [], mixed: 0 })),
  rows: [
    makeRow("a", { movesAt: 20, state: failed })([0]),
    makeRow("b", { movesAt: 5, state: moving })([0, 1], 2, [onTrack, moving]),
    makeRow("c", { movesAt: 60, requested: 0 })([0]),
    makeRow("d", { movesAt: 90, bucket: 1 })([0]),
    makeRow("e", { bucket: 2, requested: 0 })([1]),
  ],
};

describe("the picture by bucket", () => {
  const strips = listBucketStrips(table);

  it("has the largest bucket first, and its cells at the percentage at which they move", () => {
    expect(strips.map(({ name, cells }) => [name, cells.map(({ row: [each], place }) => [each, place])])).toEqual([
      [
        "production",
        [
          ["b", 0.05],
          ["a", 0.2],
          ["c", 0.6],
        ],
      ],
      ["staging", [["d", 0.9]]],
      ["pinned", [["e", 0.1]]],
    ]);
    expect(strips.map(({ line }) => line)).toEqual([25, 100, undefined]);
  });

  it("is a sentence, with those that lack pods apart from how far they are", () => {
    expect(strips.map(describeBucket)).toEqual([
      "production: 3 namespaces, 25 % requested on new: 1 restarting, 1 failed, 1 to come; 1 lacks pods",
      "staging: 1 namespace, 100 % requested on new: 1 done",
      "pinned: 1 namespace: 1 done",
    ]);
  });
});

describe("the picture by cluster", () => {
  const strips = listClusterStrips(table);

  it("has what main requests left of the line, by the distance to the line of each one's bucket", () => {
    expect(strips.map(({ name, cells, line }) => [name, cells.map(({ row: [each] }) => each).join(), line])).toEqual([
      ["east", "b,d,a,c", 75],
      ["west", "b,e", 100],
    ]);
  });

  it("shows a namespace's state in that cluster, where it differs", () => {
    expect(strips.map(({ cells }) => cells.map(({ row: [name], kind }) => `${name} ${kind}`))).toEqual([
      ["b done", "d done", "a failed", "c toCome"],
      ["b moving", "e done"],
    ]);
  });

  it("says what is requested by number", () => {
    expect(strips.map(describeGoal)).toEqual(["3 of 4 requested on new", "1 of 1 requested on new"]);
  });
});
