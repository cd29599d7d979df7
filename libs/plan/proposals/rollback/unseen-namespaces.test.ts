import { describe, expect, it } from "vitest";

import { leadsAllBack } from "./propose-rollback.ts";

describe("2.2 a rollback sets back namespaces that no cluster tells of", () => {
  const page = (production: number, guard = ""): string =>
    `production:\n  old: ${100 - production}\n  new: ${production}\n${guard}`;
  const guard = "pay-.*:\n  old: 100\n";
  const cases = [
    { name: "where shares change", buckets: ["production"], head: page(100, guard), old: page(0), want: true },
    {
      name: "where a bucket goes, and all else is as before",
      buckets: ["pay-.*"],
      head: page(0, guard),
      old: page(0),
      want: true,
    },
    {
      name: "not where a bucket goes and the rest went on",
      buckets: ["pay-.*"],
      head: page(100, guard),
      old: page(0),
      want: false,
    },
    {
      name: "not where one comes and the rest went on",
      buckets: ["pay-.*"],
      head: page(100),
      old: page(0, guard),
      want: false,
    },
    { name: "not where a file does not parse", buckets: ["production"], head: "?", old: page(0), want: false },
  ];
  it.each(cases)("$name", ({ buckets, head, old, want }) => expect(leadsAllBack(buckets, head, old)).toBe(want));
});
