import type { Workload } from "#libs/fleet";
import { makeCluster, makeSpec, makeWorkload, noon, sha } from "#test/world/build";
import { specOf } from "#test/world/pull-request";
import { expect, test } from "vitest";

import { countShares } from "./bucket-shares.ts";
import { ClusterIndex } from "./cluster-index.ts";
import type { Spec } from "../records/snapshot.ts";

type Fleet = Readonly<Record<string, readonly Workload[]>>;

/** Each cluster's namespaces are the same objects while their workloads are, as a planner reads them. */
const made = new Map<readonly Workload[], ReturnType<typeof makeCluster>>();

function index(head: Spec, name: string, workloads: readonly Workload[], desired: string, now = noon): ClusterIndex {
  const cluster = made.get(workloads) ?? makeCluster(name, workloads);
  made.set(workloads, cluster);
  return new ClusterIndex({ cluster, head, ownerOf: () => ({ desired }), now, waitingSince: new Map() });
}

function count(head: Spec, fleet: Fleet, desired = "new"): Readonly<Record<string, number>> {
  const indexes = Object.entries(fleet).map(([name, all]) => [name, index(head, name, all, desired)] as const);
  const counts = [...countShares(head, new Map(indexes))].flatMap(([bucket, byRevision]) =>
    [...byRevision].map(([revision, number]) => [`${bucket} ${revision ?? "mixed"}`, number] as const),
  );
  return Object.fromEntries(counts.filter(([, number]) => number !== 0));
}

const production = () => makeSpec(sha("head"), 50);
const on = (name: string, revision: string, change: Partial<Workload> = {}) => makeWorkload(name, change, revision);
const none = { replicas: 0, pods: [] };
const bare = { labels: {}, annotations: {}, hostNetwork: false };

const cases: readonly {
  readonly name: string;
  readonly fleet: Fleet;
  readonly want: Readonly<Record<string, number>>;
}[] = [
  {
    name: "a namespace counts for the revision that all its workloads run in every cluster",
    fleet: { one: [on("a/x", "new"), on("a/y", "new"), on("b/x", "old")], two: [on("a/x", "new")] },
    want: { "production new": 1, "production old": 1 },
  },
  {
    name: "a namespace whose workloads run different revisions is mixed",
    fleet: { one: [on("a/x", "new"), on("a/y", "old")] },
    want: { "production mixed": 1 },
  },
  {
    name: "a namespace that runs different revisions in two clusters is mixed",
    fleet: { one: [on("a/x", "new"), on("b/x", "old")], two: [on("a/x", "old"), on("b/x", "new")] },
    want: { "production mixed": 2 },
  },
  {
    name: "a namespace whose pods run different revisions is mixed",
    fleet: {
      one: [on("a/x", "new", { pods: ["old", "new"].map((revision) => ({ revision, count: 1, ready: 1 })) })],
    },
    want: { "production mixed": 1 },
  },
  {
    name: "a workload without pods counts for the revision that main gives it",
    fleet: { one: [on("a/x", "old", none), on("b/x", "old", none), on("b/y", "old")] },
    want: { "production new": 1, "production mixed": 1 },
  },
  {
    name: "a workload outside the mesh does not count",
    fleet: { one: [on("a/x", "new"), on("a/job", "old", { template: bare, pods: [{ count: 1, ready: 1 }] })] },
    want: { "production new": 1 },
  },
];
test.each(cases)("$name", ({ fleet, want }) => expect(count(production(), fleet)).toEqual(want));

test("each namespace counts in the bucket that decides it", () => {
  const head = specOf(sha("head"), "production: { old: 100 }\n.*-stg: { new: 100 }\n");
  expect(count(head, { one: [on("a/x", "old"), on("a-stg/x", "new")] })).toEqual({
    "production old": 1,
    ".*-stg new": 1,
  });
});

test("the counts depend on the present fleet only, not on earlier ones", () => {
  const head = production();
  const [first, second, third] = [[on("a/x", "old")], [on("a/x", "new"), on("b/x", "new")], [on("c/x", "old", none)]];
  const steps: readonly (readonly [Fleet, string, Readonly<Record<string, number>>])[] = [
    [{ one: first, two: second }, "new", { "production mixed": 1, "production new": 1 }],
    [{ two: second }, "new", { "production new": 2 }],
    [{ one: first }, "new", { "production old": 1 }],
    [{ one: second }, "new", { "production new": 2 }],
    [{ one: second, two: third }, "new", { "production new": 3 }],
    // The same objects, and another run with another desired revision.
    [{ one: second, two: third }, "old", { "production new": 2, "production old": 1 }],
    [{}, "old", {}],
  ];
  expect(steps.map(([fleet, desired]) => count(head, fleet, desired))).toEqual(steps.map(([, , want]) => want));
});
