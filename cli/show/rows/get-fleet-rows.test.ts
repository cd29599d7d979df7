import type { PodGroup } from "#libs/fleet";
import { ClusterIndex } from "#libs/plan";
import { makeCluster, makeSpec, makeWorkload, noon, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { listWorkloads } from "./get-fleet-rows.ts";
import type { FleetWorkloads } from "./narrow-view.ts";

const served = { webhook: true, istiod: "ready" } as const;
const old = { revision: "old", count: 1, ready: 1 };
const bare = { count: 1, ready: 1 };

const cases: readonly {
  readonly name: string;
  readonly pods: readonly PodGroup[];
  readonly revisions: readonly string[];
  readonly want: string;
}[] = [
  { name: "all pods are served", pods: [{ ...old, count: 2 }], revisions: ["old", "new"], want: "old ok -" },
  {
    name: "its revision's webhook is gone",
    pods: [{ ...old, count: 2 }],
    revisions: ["new"],
    want: "old unserved 2 pods on a revision that is not served (RevisionMissing: revision old has no injector webhook in one)",
  },
  {
    name: "one pod has no sidecar",
    pods: [old, bare],
    revisions: ["old"],
    want: "old,no-sidecar unserved 1 pod without a sidecar",
  },
  {
    name: "no pod has a sidecar",
    pods: [{ ...bare, count: 2 }],
    revisions: ["new"],
    want: "no-sidecar unserved no pod has a sidecar, and no label would give it one; 2 pods without a sidecar",
  },
];

test.each(cases)("$name", ({ pods, revisions, want }) => {
  const facts = { revisions: revisions.map((name) => ({ name, ...served })) };
  const cluster = makeCluster("one", [{ ...makeWorkload("shop/a"), pods }], { facts });
  const ownerOf = () => ({ desired: "old" });
  const index = new ClusterIndex({
    cluster,
    head: makeSpec(sha("head"), 0),
    ownerOf,
    now: noon,
    waitingSince: new Map(),
  });
  const view = {
    snapshot: { clusters: new Map([["one", cluster]]) },
    evaluation: { judged: new Map([["one", index]]) },
  };
  const rows = listWorkloads(view as unknown as FleetWorkloads, undefined).rows.map(({ item }) => {
    const { running, state, reason } = item as Readonly<Record<string, string>>;
    return `${running} ${state} ${reason}`;
  });
  expect(rows).toEqual([want]);
});
