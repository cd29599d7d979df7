import { describe, expect, it } from "vitest";

import { applyPatch, type Operation } from "./apply-patch.ts";

describe("a JSON Patch", () => {
  const cases: readonly { name: string; before: unknown; patch: readonly Operation[]; after: unknown }[] = [
    { name: "of nothing", before: { a: 1 }, patch: [], after: { a: 1 } },
    { name: "adds a field", before: {}, patch: [{ op: "add", path: "/a", value: [1] }], after: { a: [1] } },
    { name: "inserts", before: { a: [1, 3] }, patch: [{ op: "add", path: "/a/1", value: 2 }], after: { a: [1, 2, 3] } },
    {
      name: "takes away",
      before: { a: [1, 2], b: 0 },
      patch: [{ op: "remove", path: "/a/0" }],
      after: { a: [2], b: 0 },
    },
    {
      name: "replaces",
      before: { a: [{ b: 1 }] },
      patch: [{ op: "replace", path: "/a/0/b", value: 2 }],
      after: { a: [{ b: 2 }] },
    },
    { name: "moves", before: [1, 2, 3], patch: [{ op: "move", from: "/2", path: "/0" }], after: [3, 1, 2] },
    { name: "replaces all", before: [1], patch: [{ op: "replace", path: "", value: {} }], after: {} },
    {
      name: "of escaped keys",
      before: { "a/b": { "~": 1 } },
      patch: [{ op: "replace", path: "/a~1b/~0", value: 2 }],
      after: { "a/b": { "~": 2 } },
    },
  ];
  it.each(cases)("$name", ({ before, patch, after }) => {
    const kept = structuredClone(before);
    expect(applyPatch(before, patch)).toEqual(after);
    expect(before).toEqual(kept);
  });

  it("never changes a prototype", () => {
    const patch = [{ op: "add" as const, path: "/__proto__", value: { bad: true } }];
    expect(Object.keys(applyPatch({}, patch))).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("bad");
    expect(() => applyPatch({}, [{ op: "add", path: "/__proto__/bad", value: true }])).toThrow("no /__proto__/bad");
  });

  it.each<Operation>([
    { op: "remove", path: "/x" },
    { op: "remove", path: "/a/7" },
    { op: "replace", path: "/x/y", value: 1 },
    { op: "move", from: "/x", path: "/y" },
  ])("that does not apply is refused: $op $path", (operation) => {
    expect(() => applyPatch({ a: [1] }, [operation])).toThrow("in the document");
  });
});
