import type { ClusterFacts, PodGroup, Workload } from "#libs/fleet";
import { makeCluster, makeSpec, makeWorkload, noon, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { ClusterIndex } from "../../index/index.ts";
import { describeUnserved, findUnservedPods } from "./unserved-pods.ts";

const served = { webhook: true, istiod: "ready" } as const;
const both: Partial<ClusterFacts> = {
  revisions: [
    { name: "old", ...served },
    { name: "new", ...served },
  ],
};
const onlyNew: Partial<ClusterFacts> = { revisions: [{ name: "new", ...served }] };

function group(revision: string | undefined, count: number): PodGroup {
  return { ...(revision === undefined ? {} : { revision }), count, ready: count };
}

interface Case {
  readonly name: string;
  readonly pods: readonly PodGroup[];
  readonly facts: Partial<ClusterFacts>;
  /** `bare`, and each revision that is not served. */
  readonly want?: readonly [bare: number, ...left: string[]];
}

const cases: readonly Case[] = [
  { name: "all revisions are served", pods: [group("old", 2)], facts: both },
  {
    name: "a group without pods does not count",
    pods: [group(undefined, 0), group("old", 0), group("new", 2)],
    facts: onlyNew,
  },
  { name: "a pod without a sidecar", pods: [group("old", 2), group(undefined, 1)], facts: both, want: [1] },
  { name: "a revision without a webhook", pods: [group("old", 2)], facts: onlyNew, want: [0, "2 old RevisionMissing"] },
  {
    name: "a revision without an istiod",
    pods: [group("old", 2), group("new", 1)],
    facts: {
      revisions: [
        { name: "old", webhook: true, istiod: "missing" },
        { name: "new", ...served },
      ],
    },
    want: [0, "2 old IstiodNotReady"],
  },
  {
    name: "a revision whose dry run was refused",
    pods: [group("old", 1), group(undefined, 3)],
    facts: { ...both, injection: { old: { state: "refused", why: "none" } } },
    want: [3, "1 old InjectionRefused"],
  },
  { name: "a revision without a result of a dry run", pods: [group("old", 1)], facts: { ...both, injection: {} } },
];

test.each(cases)("$name", ({ pods, facts, want }) => {
  const found = findUnservedPods({ pods }, makeCluster("one", [], { facts }).facts);
  const told = found && [
    found.bare,
    ...found.left.map((each) => `${each.count} ${each.revision} ${each.obstacle.code}`),
  ];
  expect(told).toEqual(want);
});

function indexOf(workloads: readonly Workload[], change: Partial<ClusterFacts>, labels: Record<string, string> = {}) {
  const cluster = makeCluster("one", workloads, { facts: change }, labels);
  const head = makeSpec(sha("head"), 0);
  const ownerOf = () => ({ desired: "old" });
  const index = new ClusterIndex({ cluster, head, ownerOf, now: noon, waitingSince: new Map() });
  return describeUnserved(index, cluster.facts);
}

describe("the problems of a cluster in a status", () => {
  const a = makeWorkload("shop/a");
  const bare = { ...makeWorkload("shop/b"), pods: [group(undefined, 2)] };

  test("none where all pods are served", () => {
    expect(indexOf([a], both)).toEqual([]);
  });

  test("a missing revision, with its workloads, who can fix it, and how", () => {
    expect(indexOf([a, makeWorkload("shop/b")], onlyNew)).toEqual([
      "RevisionMissing: revision old has no injector webhook in one, and 2 workloads have pods with its sidecar: " +
        "shop/Deployment/a 2/2, shop/Deployment/b 2/2; the mesh operator: istioctl install --revision old # in cluster one",
    ]);
  });

  test("a workload that lost all its sidecars, and is therefore not managed", () => {
    const [first] = indexOf([bare], onlyNew);
    expect(first).toMatch(
      /^NoSidecar: 1 workload has pods without a sidecar: shop\/Deployment\/b 2\/2; .*deployment\/b/,
    );
  });

  test("one that never asked for a sidecar is not named", () => {
    const template = { labels: {}, annotations: {}, hostNetwork: false };
    expect(indexOf([{ ...bare, template }], onlyNew)).toEqual([]);
  });

  test("only the first few are named", () => {
    const many = Array.from({ length: 7 }, (_, at) => ({ ...bare, name: `w${at}`, uid: `uid-${at}` }));
    expect(indexOf(many, both)[0]).toMatch(/^NoSidecar: 7 workloads have .* w4 2\/2 and 2 more;|w4 2\/2 and 2 more/);
  });
});
