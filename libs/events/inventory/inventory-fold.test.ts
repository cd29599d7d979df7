import { NamespaceTree } from "#libs/plan";
import { makeCluster, makeNamespace, makeWorkload } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { createInventoryFold } from "./inventory-fold.ts";
import {
  inventoryLimitBytes,
  isClusterName,
  nameClusterKey,
  nameNamespaceKey,
  printClusterFacts,
  printNamespaceInventory,
  readClusterFacts,
  readInventoryKey,
  readNamespaceInventory,
} from "./inventory.ts";

const shop = makeNamespace("shop", [makeWorkload("shop/a")]);
const { facts } = makeCluster("one", [], { facts: { count: 1 } });
const key = nameNamespaceKey("one", "shop");

/** A fold with the cluster and its one namespace. */
function makeFold() {
  const fold = createInventoryFold(NamespaceTree.empty);
  fold.apply(nameClusterKey("one"), printClusterFacts(facts), 1000);
  fold.apply(key, printNamespaceInventory(shop), 1001);
  return fold;
}

describe("what executors publish, folded", () => {
  test("9.1 it is complete when the keys equal the count", () => {
    const fold = createInventoryFold(NamespaceTree.empty);
    fold.apply(nameClusterKey("one"), printClusterFacts(facts), 1000);
    const before = fold.clusters()[0]?.complete;
    fold.apply(key, printNamespaceInventory(shop), 1001);
    expect([before, fold.clusters()[0]?.complete]).toEqual([false, true]);
    fold.apply(nameNamespaceKey("one", "more"), printNamespaceInventory(makeNamespace("more", [])), 1002);
    expect(fold.clusters()[0]?.complete).toBe(false);
  });

  test("9.1 the age of a cluster counts from the last change of its own value", () => {
    const fold = makeFold();
    expect(fold.clusters()[0]?.changedAt).toBe(1000);
    fold.apply(nameClusterKey("one"), printClusterFacts({ ...facts, seenAt: 5 }), 9000);
    expect(fold.clusters()[0]?.changedAt).toBe(9000);
  });

  test("9.1 a cluster without its own value, or with a deleted one, is not listed", () => {
    const fold = createInventoryFold(NamespaceTree.empty);
    fold.apply(key, printNamespaceInventory(shop), 1);
    expect(fold.clusters()).toEqual([]);
    const known = makeFold();
    known.apply(nameClusterKey("one"), undefined, 2);
    expect(known.clusters()).toEqual([]);
  });

  test("9.1 a wiped bucket starts over", () => {
    const fold = makeFold();
    fold.reset();
    expect(fold.clusters()).toEqual([]);
  });

  const newer = { ...shop, readAt: "11", workloads: [] };
  const cases = [
    { name: "9.2 a newer value replaces an older one", next: newer, want: 0 },
    { name: "9.2 an older value never replaces a newer one", next: { ...newer, readAt: "9" }, want: 1 },
    { name: "9.2 versions are numbers: 9 is older than 10", next: { ...newer, readAt: "9" }, want: 1 },
    {
      name: "9.2 a namespace that is created again replaces the old one",
      next: { ...newer, readAt: "2", namespace: { ...shop.namespace, uid: "other" } },
      want: 0,
    },
  ];
  test.each(cases)("$name", ({ next, want }) => {
    const fold = makeFold();
    fold.apply(key, printNamespaceInventory(next), 2000);
    expect(fold.clusters()[0]?.namespaces.get("shop")?.workloads).toHaveLength(want);
  });

  test("9.2 a deleted namespace is gone", () => {
    const fold = makeFold();
    fold.apply(key, undefined, 2000);
    expect(fold.clusters()[0]?.namespaces.size).toBe(0);
  });

  test("keys that are not ours change nothing", () => {
    expect(makeFold().apply("nodot", "{}", 1)).toBe(undefined);
  });
});

describe("the values", () => {
  test("9.1 what is printed is read back", () => {
    expect(readNamespaceInventory("shop", printNamespaceInventory(shop))).toMatchObject(shop);
    expect(readClusterFacts("one", printClusterFacts(facts))).toMatchObject(facts);
  });

  test.each(["", "{", "null", "[]", '{"version":2}', '{"version":1}', '"text"'])("%j is not ours", (text) => {
    expect([readNamespaceInventory("shop", text), readClusterFacts("one", text)]).toEqual([undefined, undefined]);
  });

  test.each([
    ["one", true],
    ["eu-1", true],
    ["a", true],
    ["arn:aws:eks:eu-west-1:1:cluster/one", false],
    ["One", false],
    ["-one", false],
    ["one.two", false],
    ["", false],
    ["x".repeat(64), false],
  ])("9.1 %s as a cluster's name: %s", (name, want) => expect(isClusterName(name)).toBe(want));

  test("9.1 keys are <cluster>._ and <cluster>.<namespace>", () => {
    expect([nameClusterKey("one"), readInventoryKey("one._")]).toEqual(["one._", { cluster: "one" }]);
    expect(readInventoryKey(nameNamespaceKey("one", "shop"))).toEqual({ cluster: "one", namespace: "shop" });
  });

  test("9.2 about 1,000 workloads fit into a value of 512 KiB", () => {
    const many = Array.from({ length: 1000 }, (_, index) => makeWorkload(`shop/workload-${index}`));
    const bytes = Buffer.byteLength(printNamespaceInventory(makeNamespace("shop", many)));
    expect(bytes).toBeLessThan(inventoryLimitBytes);
    expect(2 * bytes).toBeGreaterThan(inventoryLimitBytes);
  });
});

describe("9.2 values that no executor writes are ignored", () => {
  const workload = makeWorkload("shop/a");
  const values: readonly { readonly name: string; readonly value: unknown }[] = [
    { name: "a workload without pods", value: { ...shop, workloads: [{ ...workload, pods: undefined }] } },
    { name: "a workload of another namespace", value: { ...shop, workloads: [{ ...workload, namespace: "bank" }] } },
    { name: "a name that is a path", value: { ...shop, workloads: [{ ...workload, name: "../../x" }] } },
    {
      name: "a name with control characters of a terminal",
      value: { ...shop, workloads: [{ ...workload, name: "a\u001b[2J" }] },
    },
    { name: "a kind that we do not move", value: { ...shop, workloads: [{ ...workload, kind: "constructor" }] } },
    { name: "a negative number of replicas", value: { ...shop, workloads: [{ ...workload, replicas: -1 }] } },
    {
      name: "annotations that are not texts",
      value: { ...shop, workloads: [{ ...workload, annotations: { a: {} } }] },
    },
    { name: "another namespace than its key's", value: { ...shop, namespace: { ...shop.namespace, name: "bank" } } },
    { name: "a namespace without labels", value: { ...shop, namespace: { ...shop.namespace, labels: null } } },
  ];
  test.each(values)("of a namespace: $name", ({ value }) => {
    const fold = makeFold();
    fold.apply(key, JSON.stringify({ version: 1, ...(value as object) }), 1002);
    expect(fold.clusters()[0]?.namespaces.size).toBe(0);
  });

  test("an infinite figure", () => {
    const fold = makeFold();
    fold.apply(key, printNamespaceInventory(shop).replace('"replicas":2', '"replicas":1e309'), 1002);
    expect(fold.clusters()[0]?.namespaces.size).toBe(0);
  });

  const facade: readonly { readonly name: string; readonly change: object }[] = [
    { name: "another cluster than its key's", change: { cluster: "two" } },
    { name: "invalid stops", change: { stops: { kubectl: "yes", recorded: {} } } },
    { name: "invalid revisions", change: { revisions: null } },
    { name: "a negative count", change: { count: -2 } },
  ];
  test.each(facade)("of a cluster: $name", ({ change }) => {
    const fold = makeFold();
    fold.apply(nameClusterKey("one"), JSON.stringify({ version: 1, ...facts, ...change }), 1002);
    expect(fold.clusters()).toEqual([]);
  });

  test("keys that are not names", () => {
    const fold = makeFold();
    expect([fold.apply("One._", "{}", 1), fold.apply("one.Shop", "{}", 1)]).toEqual([undefined, undefined]);
  });
});
