import { makeNamespace } from "#test/world/build";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { listDifferences, NamespaceTree } from "./namespace-tree.ts";

const name = fc.stringMatching(/^[a-c-]{1,3}$/);
const value = fc.nat(3);
const step = fc.tuple(name, fc.option(value, { nil: undefined }));

const inventories = new Map<string, ReturnType<typeof makeNamespace>>();

/** The same value of the same name is the same object, as in the fold. */
function makeInventory(of: string, number: number) {
  const key = `${of} ${number}`;
  const known = inventories.get(key) ?? makeNamespace(of, []);
  inventories.set(key, known);
  return known;
}

type Steps = readonly (readonly [string, number | undefined])[];

function apply(tree: NamespaceTree, steps: Steps): NamespaceTree {
  return steps.reduce(
    (at, [of, number]) => (number === undefined ? at.without(of) : at.with(of, makeInventory(of, number))),
    tree,
  );
}

function applyToMap(steps: Steps) {
  const map = new Map<string, ReturnType<typeof makeNamespace>>();
  for (const [of, number] of steps) {
    if (number === undefined) map.delete(of);
    else map.set(of, makeInventory(of, number));
  }
  return map;
}

const sort = (names: Iterable<string>) => [...names].toSorted((a, b) => (`${a}/` < `${b}/` ? -1 : 1));

describe("namespaces as an immutable map", () => {
  test("it has the entries of a map, in the order of workloads' keys", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [tree, map] = [apply(NamespaceTree.empty, steps), applyToMap(steps)];
        expect([...tree.keys()]).toEqual(sort(map.keys()));
        expect(tree.size).toBe(map.size);
        for (const each of map.keys()) expect([tree.has(each), tree.get(each)]).toEqual([true, map.get(each)]);
        expect(tree.get("none")).toBe(undefined);
      }),
    );
  });

  test("its form depends on its entries, not on their history", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const straight = apply(
          NamespaceTree.empty,
          [...applyToMap(steps).keys()].map((each) => [each, 0] as const),
        );
        const [...final] = applyToMap(steps).keys();
        const around = apply(
          apply(NamespaceTree.empty, steps),
          final.map((each) => [each, 0] as const),
        );
        expect(around.root).toEqual(straight.root);
      }),
    );
  });

  test("a change leaves the old tree as it was", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 10 }), (steps, more) => {
        const tree = apply(NamespaceTree.empty, steps);
        const before = [...tree];
        apply(tree, more);
        expect([...tree]).toEqual(before);
      }),
    );
  });

  test("the differences of two trees are exactly the names that differ, each once", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(step, { maxLength: 30 }),
        fc.boolean(),
        (a, b, isNext) => {
          const [steps, next] = [a, isNext ? [...a, ...b] : b];
          const [was, is] = [applyToMap(steps), applyToMap(next)];
          const want = new Set([...was.keys(), ...is.keys()].filter((each) => was.get(each) !== is.get(each)));
          const [from, to] = [apply(NamespaceTree.empty, steps), apply(NamespaceTree.empty, next)];
          expect([...listDifferences(from.root, to.root)].toSorted()).toEqual([...want].toSorted());
        },
      ),
    );
  });

  test("it can be read like any map", () => {
    const [a, b] = [makeInventory("a", 0), makeInventory("b", 0)];
    const tree = NamespaceTree.from([
      ["b", b],
      ["a", a],
    ]);
    const entries = [
      ["a", a],
      ["b", b],
    ];
    expect([[...tree], [...tree.entries()], [...tree.values()]]).toEqual([entries, entries, [a, b]]);
    const seen: unknown[] = [];
    tree.forEach((inventory, of, map) => seen.push([of, inventory, map === tree]));
    expect(seen).toEqual([
      ["a", a, true],
      ["b", b, true],
    ]);
    expect([tree.has("none"), NamespaceTree.empty.has("a"), NamespaceTree.empty.size]).toEqual([false, false, 0]);
  });

  test("a change without effect returns the same tree", () => {
    const tree = apply(
      NamespaceTree.empty,
      Array.from({ length: 50 }, (_, index) => [`n${index}`, 0] as const),
    );
    expect(tree.with("n7", makeInventory("n7", 0))).toBe(tree);
    expect(tree.without("none")).toBe(tree);
    expect(tree.with("n7", makeInventory("n7", 1)).root).not.toBe(tree.root);
    expect(listDifferences(tree.root, tree.root)).toEqual([]);
  });

  test("of a thousand namespaces a change replaces only a few nodes", () => {
    const tree = apply(
      NamespaceTree.empty,
      Array.from({ length: 1000 }, (_, index) => [`n${index}`, 0] as const),
    );
    const known = new Set<unknown>();
    const collect = (node: typeof tree.root): number => {
      if (node === undefined) return 0;
      const isNew = !known.has(node);
      known.add(node);
      return (isNew ? 1 : 0) + collect(node.left) + collect(node.right);
    };
    collect(tree.root);
    expect(collect(tree.with("n500", makeInventory("n500", 1)).root)).toBeLessThan(40);
  });
});
