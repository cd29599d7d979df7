import { describe, expect, it } from "vitest";

import { compileSpec } from "../../main/compile-spec.ts";
import type { Spec } from "../../records/index.ts";
import { setsAllBack } from "./propose-rollback.ts";

function specOf(text: string, seed = "a"): Spec {
  const compiled = compileSpec("head", text, `assignment: { seed: ${seed} }\n`);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

const guard = "pay-.*:\n  old: 100\n";
const page = (production: number, more = ""): string =>
  `production:\n  old: ${100 - production}\n  new: ${production}\n${more}`;

describe("2.2 whether a rollback rolls back namespaces that no cluster reports", () => {
  const cases = [
    { name: "a share changes", of: ["production"], head: page(100, guard), old: page(0, guard), want: true },
    {
      name: "a bucket is removed, and the others are as before",
      of: ["pay-.*"],
      head: page(0, guard),
      old: page(0),
      want: true,
    },
    {
      name: "a bucket is removed, and the others have moved on",
      of: ["pay-.*"],
      head: page(100, guard),
      old: page(0),
      want: false,
    },
    {
      name: "a bucket is added back, and the others have moved on",
      of: ["pay-.*"],
      head: page(100),
      old: page(0, guard),
      want: false,
    },
    { name: "the seed differs", of: ["production"], head: page(100), old: page(0), seed: "b", want: false },
  ];
  it.each(cases)("$name", ({ of, head, old, seed, want }) =>
    expect(setsAllBack(of, specOf(head), specOf(old, seed))).toBe(want),
  );
});
