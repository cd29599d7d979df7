import fc from "fast-check";
import { makeCluster, makeNamespace, makeWorkload } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { readClusterFacts, readNamespaceInventory } from "./inventory.ts";

const shop = makeNamespace("shop", [makeWorkload("shop/a"), makeWorkload("shop/b")]);
const { facts } = makeCluster("one", []);

type Change = readonly [path: string, value: unknown];

/** The value with one field (`workloads.0.name`) changed; undefined removes it. */
function change(value: object, [path, to]: Change): string {
  const copy = structuredClone({ version: 1, ...value }) as Record<string, unknown>;
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  const place = steps.reduce((at, step) => at[step] as Record<string, unknown>, copy);
  if (to === undefined) Reflect.deleteProperty(place, last);
  else Object.defineProperty(place, last, { value: to, enumerable: true, configurable: true, writable: true });
  return JSON.stringify(copy);
}

describe("an inventory that no executor would write is not read", () => {
  const cases: readonly Change[] = [
    ["version", 2],
    ["workloads.0", null],
    ["workloads.0", []],
    ["workloads.1", { ...shop.workloads[0] }],
    ["workloads.0.namespace", "other"],
    ["workloads.0.kind", "Pod"],
    ["workloads.0.kind", "constructor"],
    ["workloads.0.name", "../b"],
    ["workloads.0.name", "z"],
    ["workloads.0.name", "a\u001b[2J"],
    ["workloads.0.replicas", -1],
    ["workloads.0.replicas", 1.5],
    ["workloads.0.replicas", "2"],
    ["workloads.0.replicas", Number.POSITIVE_INFINITY],
    ["workloads.0.template", null],
    ["workloads.0.template.labels", null],
    ["workloads.0.template.labels", { a: 1 }],
    ["workloads.0.template.labels", [["a", "b"]]],
    ["workloads.0.annotations", undefined],
    ["workloads.0.pods", [{ count: -1, ready: 0 }]],
    ["workloads.0.pods", {}],
    ["workloads.0.uid", ""],
    ["namespace", undefined],
    ["namespace.name", "other"],
    ["namespace.labels.__proto__", "x"],
    ["namespace.terminating", "no"],
    ["readAt", "soon"],
    ["readAt", 7],
  ];
  it.each(cases)("%s: %j", (path, to) => {
    expect(readNamespaceInventory("shop", change(shop, [path, to]))).toBe(undefined);
  });

  it("the unchanged value is read", () => {
    expect(readNamespaceInventory("shop", change(shop, ["extra", "kept"]))).toMatchObject(shop);
  });
});

describe("facts that no executor would write are not read", () => {
  const cases: readonly Change[] = [
    ["cluster", "two"],
    ["seenAt", null],
    ["count", -2],
    ["count", 0.5],
    ["mode", "kill"],
    ["revisions", [{ name: "a b", webhook: true, istiod: "ready" }]],
    ["revisions", [null]],
    ["tags", { a: 1 }],
    ["stops", {}],
    ["stops.recorded", { a: {} }],
    ["stops.kubectl", "yes"],
    ["problems", "none"],
    ["problems", ["x".repeat(5000)]],
    ["uid", "x".repeat(100)],
  ];
  it.each(cases)("%s: %j", (path, to) => {
    expect(readClusterFacts("one", change(facts, [path, to]))).toBe(undefined);
  });

  it("the unchanged facts are read", () => {
    expect(readClusterFacts("one", change(facts, ["extra", "kept"]))).toMatchObject(facts);
  });

  it("of a cluster with uncounted keys are read, because its problems are shown", () => {
    expect(readClusterFacts("one", change(facts, ["count", -1]))).toMatchObject({ ...facts, count: -1 });
  });
});

it("no text makes a reader throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = [readNamespaceInventory("shop", text), readClusterFacts("one", text)];
      return read.every((each) => each === undefined);
    }),
  );
});
