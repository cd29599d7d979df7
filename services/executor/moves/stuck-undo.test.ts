import { makeMeshWorkload } from "#fakes/fleet";
import type { RevisionFacts, Workload } from "#libs/fleet";
import type { ClusterSnapshot, JudgedWorkload } from "#libs/plan";
import { expect, test } from "vitest";

import { describeStuckUndo, listStuckUndoes } from "./stuck-undo.ts";

/** Three pods, one of them broken by a move that failed and was put back. */
const undone: Partial<Workload> = {
  namespace: "shop",
  kind: "StatefulSet",
  name: "db",
  orderedFrom: 0,
  replicas: 3,
  total: 3,
  updated: 2,
  available: 2,
  annotations: {
    "meshroll.dev/run": "abcdefabcdef new",
    "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T12:00:00Z",
  },
};

function stateOf(change: Partial<Workload>): JudgedWorkload {
  const workload = { ...makeMeshWorkload("old", { labels: { "istio.io/rev": "old" } }), ...undone, ...change };
  const namespace = { name: "shop", labels: {} };
  return { key: "shop/StatefulSet/db", workload, inventory: { namespace } } as unknown as JudgedWorkload;
}

/** Only the facts that decide which revisions are served. */
function clusterOf(revisions: readonly RevisionFacts[]): Pick<ClusterSnapshot, "facts"> {
  return { facts: { cluster: "one", revisions, tags: {} } as unknown as ClusterSnapshot["facts"] };
}

const served = clusterOf([{ name: "old", webhook: true, istiod: "ready" }]);

interface Case {
  readonly name: string;
  readonly change?: Partial<Workload>;
  /** The pod to delete; absent: none. */
  readonly want?: string;
}

const cases: readonly Case[] = [
  { name: "the first pod that was moved is broken: the highest ordinal", want: "db-2" },
  { name: "the second pod that was moved is broken", change: { updated: 1 }, want: "db-1" },
  { name: "the last pod that was moved is broken", change: { updated: 0 }, want: "db-0" },
  { name: "ordinals begin at five", change: { orderedFrom: 5 }, want: "db-7" },
  { name: "it became ready again", change: { updated: 3, available: 3 } },
  { name: "all have the old template, one is down for another reason", change: { updated: 3 } },
  { name: "a pod is missing: it is created again by itself", change: { total: 2 } },
  { name: "its controller has not observed the undo yet", change: { generation: 4, observedGeneration: 3 } },
  {
    name: "the undo was complete, and a later deploy of its owner never becomes ready",
    change: { times: { written: 5000, deployed: 9000 }, pods: [{ revision: "old", count: 3, ready: 2, oldest: 4000 }] },
  },
  {
    name: "its owner deployed again while the broken pod stands",
    change: { times: { written: 5000, deployed: 9000 }, pods: [{ revision: "new", count: 1, ready: 0, oldest: 4000 }] },
    want: "db-2",
  },
  { name: "there was no undo", change: { annotations: { "meshroll.dev/run": "abcdefabcdef new" } } },
];
for (const { name, change = {}, want } of cases) {
  test(`4.6 ${name}: ${want === undefined ? "no pod has to be deleted" : `${want} has to be deleted`}`, () => {
    const pods = [...listStuckUndoes([stateOf(change)], served).values()].map(
      (text) => text.split("kubectl -n shop delete pod ")[1],
    );
    expect(pods).toEqual(want === undefined ? [] : [want]);
  });
}

for (const [revisions, want] of [
  [[], /Delete none of its pods.*RevisionMissing/],
  [[{ name: "old", webhook: true, istiod: "unready" }], /Delete none of its pods.*IstiodNotReady/],
  [[{ name: "old", webhook: true, istiod: "missing" }], /Delete none of its pods.*IstiodNotReady/],
] as const) {
  test(`4.6 a pod that would come back without its sidecar is not to be deleted: ${JSON.stringify(revisions)}`, () => {
    const [text] = listStuckUndoes([stateOf({})], clusterOf(revisions)).values();
    expect(text).toMatch(want);
    expect(text).not.toContain("delete pod");
  });
}

test("a workload whose pods are not replaced in order needs no person", () => {
  const { orderedFrom: _, ...parallel } = stateOf({}).workload;
  expect(listStuckUndoes([{ ...stateOf({}), workload: parallel }], served).size).toBe(0);
});

test("a move that is about to be undone names the pod by the new template's count", () => {
  expect(describeStuckUndo(stateOf({ updated: 1 }), "moved")).toMatch(/delete pod db-2$/);
  expect(describeStuckUndo(stateOf({ updated: 2 }), "moved")).toMatch(/delete pod db-1$/);
  expect(describeStuckUndo(stateOf({ updated: 3, available: 3 }), "moved")).toBeUndefined();
});
