import type { NamespaceInventory, Workload } from "#libs/fleet";
import { createOwnership, NamespaceTree } from "#libs/plan";
import {
  makeMigrated,
  failed,
  makeCluster,
  makeLedger,
  makeNamespace,
  makeRun,
  makeSpec,
  makeWorkload,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ClusterIndex } from "./cluster-index.ts";

const [old, head] = [makeSpec(sha("old"), 0), makeSpec(sha("head"), 100)];
const ledger = makeLedger({ runs: { [runId]: { ...makeRun(head.commit, old.commit), id: runId } } });
const ownerOf = createOwnership(head, ledger, new Map([old, head].map((spec) => [spec.commit, spec])));

const shapes: readonly ((each: Workload) => Workload)[] = [
  (each) => each,
  (each) => moved(each, "new", runId),
  (each) => makeMigrated(each, "new", runId),
  (each) => failed(each, "new", runId),
  (each) => ({ ...failed(each, "new", runId), updated: 1, pods: [{ revision: "new", count: 1, ready: 0 }] }),
  (each) => ({ ...each, disruptionsAllowed: 0 }),
  (each) => ({ ...each, paused: true }),
  (each) => ({ ...each, available: 1 }),
];

const plain = Array.from({ length: 4 }, (_, index) => makeWorkload(`shop/w${index}`));

function reconcile(inventory: NamespaceInventory, now: number, waits: ReadonlyMap<string, number>, owners = ownerOf) {
  const namespaces = NamespaceTree.from([["shop", inventory]]);
  const cluster = { ...makeCluster("one", []), namespaces };
  return new ClusterIndex({ cluster, head, ownerOf: owners, now, waitingSince: waits });
}

/** The judgement of every workload, and the counts. */
function describe(index: ClusterIndex): unknown {
  const counts = index.listIndexKeys().map((indexKey) => [JSON.stringify(indexKey), index.count(indexKey)]);
  return { states: [...index], counts: Object.fromEntries(counts) };
}

const step = fc.record({
  at: fc.integer({ min: 0, max: 3 }),
  shape: fc.integer({ min: 0, max: shapes.length - 1 }),
  later: fc.constantFrom(0, 0, 60_000, 3_600_000),
  begunToWait: fc.boolean(),
  isUnit: fc.boolean(),
});

test("a kept judgement always equals a new one", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      let inventory = makeNamespace("shop", plain);
      const unit = makeNamespace("shop", plain, { "istio.io/rev": "old" }).namespace;
      let now = noon;
      let waits: ReadonlyMap<string, number> = new Map();
      for (const { at, shape, later, begunToWait, isUnit } of steps) {
        const workloads = inventory.workloads.map((each, index) =>
          index === at ? (shapes[shape]?.(makeWorkload(`shop/w${at}`)) ?? each) : each,
        );
        inventory = { ...inventory, workloads, namespace: isUnit ? unit : inventory.namespace };
        now += later;
        if (begunToWait) waits = new Map([...waits, [`one:shop/Deployment/w${at}`, now]]);
        // Another function, so that nothing is cached under it.
        const afresh = reconcile(inventory, now, waits, (name) => ownerOf(name));
        expect(describe(reconcile(inventory, now, waits))).toEqual(describe(afresh));
      }
    }),
  );
});

test("a change of one workload keeps the judgements of the others", () => {
  const before = makeNamespace("shop", plain);
  const [first, ...rest] = reconcile(before, noon, new Map());
  const workloads = before.workloads.map((each, at) => (at === 0 ? makeMigrated(each, "new", runId) : each));
  const [changed, ...kept] = reconcile({ ...before, workloads }, noon, new Map());
  expect([first?.state.kind, changed?.state.kind]).toEqual(["pending", "migrated"]);
  for (const [at, each] of kept.entries()) expect(each).toBe(rest[at]);
});
