import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { NamespaceFold, printNamespaceParts } from "./namespace-parts.ts";

function makeTable(count: number): NamespaceTable {
  const rows = Array.from({ length: count }, (_, at): NamespaceRow => [`n${at}`, 0, 12.34, 0, -1, 5, 3, 1, [0]]);
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "NamespaceTable",
    at: "2026-11-19T11:43:00.000Z",
    head: "a".repeat(40),
    revisions: ["old", "new"],
    states: ["Failed", "OnTrack"],
    buckets: [{ bucket: "production", shares: [{ revision: "old", requested: 100 }], to: "new" }],
    clusters: [{ name: "east", revisions: [{ revision: "old", requested: 3, actual: 2, healthy: 1 }], mixed: 1 }],
    rows,
  };
}

describe("a table of namespaces on the bus", () => {
  it.each([0, 1, 4000, 9001])("is read back whole, with %d rows", (count) => {
    const fold = new NamespaceFold();
    const table = makeTable(count);
    const changes = printNamespaceParts(table, "1").map(([key, value]) => fold.apply(key, value));
    expect(changes.filter(Boolean)).toHaveLength(1);
    expect(fold.table()).toEqual({ ...table, stamp: "1" });
  });

  it("keeps the states by cluster of the rows that have them", () => {
    const rows: readonly NamespaceRow[] = [
      ["a", 0, null, 0, 0, 0, 2, 0, [0, 1], [0, 1]],
      ["b", 0, null, 0, 0, 0, 2, 0, [0, 1]],
    ];
    const fold = new NamespaceFold();
    for (const [key, value] of printNamespaceParts({ ...makeTable(0), rows }, "1")) fold.apply(key, value);
    expect(fold.table()?.rows).toEqual(rows);
  });

  it("has no value that the bus would refuse, whatever the length of the names", () => {
    const rows = makeTable(10_000).rows.map(([name, ...rest]): NamespaceRow => [name.padEnd(63, "x"), ...rest]);
    const sizes = printNamespaceParts({ ...makeTable(0), rows }, "1").map(([, value]) => Buffer.byteLength(value));
    expect(Math.max(...sizes)).toBeLessThan(900 * 1024);
  });

  it("is the previous one while a newer one is being written", () => {
    const fold = new NamespaceFold();
    for (const [key, value] of printNamespaceParts(makeTable(5000), "1")) fold.apply(key, value);
    const [first, ...rest] = printNamespaceParts(makeTable(9000), "2");
    if (first === undefined) throw new Error("no part");
    expect(fold.apply(...first)).toBe(false);
    expect(fold.table()?.rows).toHaveLength(5000);
    for (const [key, value] of rest) fold.apply(key, value);
    expect(fold.table()?.rows).toHaveLength(9000);
  });

  const hostile = ["", "{", "[]", '{"stamp":"9"}', '{"stamp":"9","rows":[["n",0]]}', '{"stamp":9,"parts":1e99}'];
  it.each(hostile)("ignores a foreign value: %s", (value) => {
    const fold = new NamespaceFold();
    for (const [key, each] of printNamespaceParts(makeTable(3), "1")) fold.apply(key, each);
    expect(fold.apply("namespaces.head", value)).toBe(false);
    expect(fold.apply("namespaces.7", value)).toBe(false);
    expect(fold.table()?.rows).toHaveLength(3);
  });
});
