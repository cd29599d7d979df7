import { describe, expect, it } from "vitest";

import { evaluateFleet, type NamespaceTable, type Snapshot } from "#libs/plan";
import { makeInstant } from "#test/world/campaigns/campaign-instant";

import { listNamespaces } from "./list-namespaces.ts";

function tableOf(snapshot: Snapshot): NamespaceTable {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("no head");
  return listNamespaces(head, evaluateFleet(snapshot, head).judged, "2026-11-19T11:43:00.000Z");
}

const table = tableOf(makeInstant());
const place = (list: readonly string[], name: string) => list.indexOf(name);
const target = place(table.revisions, "1-25-2");

describe("the table of namespaces", () => {
  it("has the percentage at which each namespace moves; those below main's share are to run the new revision", () => {
    const production = table.buckets.findIndex(({ bucket }) => bucket === "production");
    expect(table.buckets[production]?.to).toBe("1-25-2");
    for (const [, bucket, movesAt, requested] of table.rows) {
      expect(bucket).toBe(production);
      expect((movesAt ?? 100) < 25).toBe(requested === target);
    }
  });

  it("has the worst state of a namespace's workloads", () => {
    const count = (state: string) => table.rows.filter((row) => row[5] === place(table.states, state)).length;
    expect(count("Failed")).toBe(1);
    expect(count("Moving")).toBe(6);
    expect(count("Pending")).toBe(10);
  });

  it("has a namespace's state in each of its clusters where those differ", () => {
    const [usual, still] = [makeInstant(), makeInstant({ progress: () => "pending" })];
    const copied = still.clusters.get("prod-use1-b");
    if (copied === undefined) throw new Error("no cluster");
    const clusters = new Map([...usual.clusters, ["prod-euw1-a", { ...copied, name: "prod-euw1-a" }]]);
    const { rows, states } = tableOf({ ...usual, clusters });
    const found = rows.filter(([, , , , , , , , places]) => places.length === 2).map((row) => [row[5], row[9]]);
    const [moving, pending] = [place(states, "Moving"), place(states, "Pending")];
    expect(found.filter(([state]) => state === moving)).toEqual([
      [moving, [moving, pending]],
      [moving, [moving, pending]],
    ]);
    expect(found.filter(([state]) => state === place(states, "OnTrack"))[0]?.[1]).toBeUndefined();
  });
});
