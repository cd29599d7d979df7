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
  it("has each managed namespace once, by name", () => {
    const names = table.rows.map(([name]) => name);
    expect(names).toHaveLength(120);
    expect(names).toEqual([...new Set(names)].toSorted());
  });

  it("says at which percentage of the growing revision each moves: those below what main requests are to run it", () => {
    const production = table.buckets.findIndex(({ bucket }) => bucket === "production");
    expect(table.buckets[production]?.to).toBe("1-25-2");
    for (const [, bucket, movesAt, requested] of table.rows) {
      expect(bucket).toBe(production);
      expect((movesAt ?? 100) < 25).toBe(requested === target);
    }
  });

  it("names the worst of what its workloads are in", () => {
    const count = (state: string) => table.rows.filter((row) => row[5] === place(table.states, state)).length;
    expect(count("Failed")).toBe(1);
    expect(count("Moving")).toBe(6);
    expect(count("Pending")).toBe(10);
  });

  it("counts each cluster's workloads by what is requested, what runs, and what of that is healthy", () => {
    const found = table.clusters.filter(({ name }) => name === "prod-use1-b");
    const revisions = found.flatMap((cluster) => cluster.revisions);
    const mixed = found.reduce((sum, cluster) => sum + cluster.mixed, 0);
    const sum = (key: "requested" | "actual") => revisions.reduce((total, each) => total + each[key], 0);
    expect(revisions.map(({ revision }) => revision)).toEqual(["1-24-5", "1-25-2"]);
    expect([sum("requested"), sum("actual") + mixed]).toEqual([20, 20]);
    expect(revisions.every(({ healthy, actual }) => healthy <= actual)).toBe(true);
    // Some are on their way to it.
    expect(revisions.filter(({ requested, actual }) => requested > actual).map(({ revision }) => revision)).toEqual([
      "1-25-2",
    ]);
  });
});
