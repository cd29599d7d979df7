import type { ClusterFacts, PodGroup } from "#libs/fleet";
import { makeCluster, makeSpec, makeWorkload, noon, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { ClusterIndex } from "../../index/index.ts";
import { describeSkewed } from "./skewed-pods.ts";

const head = makeSpec(sha("head"), 0);

/** The sentences about workloads with these pods, where istiod of `old` reports `version` and most of its sidecars are `usual`. */
function describeAll(
  groups: Readonly<Record<string, readonly PodGroup[]>>,
  { version, usual, injects }: { readonly version?: string; readonly usual?: string; readonly injects?: string },
): readonly string[] {
  const facts: Partial<ClusterFacts> = {
    revisions: [
      {
        name: "old",
        webhook: true,
        istiod: "ready",
        ...(version === undefined ? {} : { version }),
        ...(usual === undefined ? {} : { proxyImage: `istio/proxyv2:${usual}` }),
      },
    ],
    ...(injects === undefined
      ? {}
      : { injection: { old: { state: "proven" as const, image: `istio/proxyv2:${injects}` } } }),
  };
  const workloads = Object.entries(groups).map(([name, pods]) => ({ ...makeWorkload(`shop/${name}`), pods }));
  const cluster = makeCluster("one", workloads, { facts });
  const ownerOf = () => ({ desired: "old" });
  const index = new ClusterIndex({ cluster, head, ownerOf, now: noon, waitingSince: new Map() });
  return describeSkewed(index, cluster.facts);
}

const pods = (count: number, tag?: string): PodGroup => ({
  revision: "old",
  count,
  ready: count,
  ...(tag === undefined ? {} : { image: `istio/proxyv2:${tag}` }),
});

const cases = [
  ["one minor apart", { a: [pods(2)] }, { version: "1.26.0", usual: "1.25.9" }, []],
  ["nothing is known of istiod", { a: [pods(2)] }, { usual: "1.24.9" }, []],
  ["nothing is known of the proxies", { a: [pods(2)] }, { version: "1.26.0" }, []],
  ["no pod is left of it", { a: [pods(0, "1.24.9"), pods(2)] }, { version: "1.26.0", usual: "1.26.0" }, []],
  [
    "istiod was upgraded in place by two minors, by what it injects now",
    { a: [pods(2)], b: [pods(1), pods(1, "1.26.0")] },
    { injects: "1.26.0", usual: "1.24.9" },
    ["proxy 1.24.9, more than one minor from istiod 1.26.0 of old: shop/Deployment/a 2/2, shop/Deployment/b 1/2"],
  ],
  [
    "owners pin two images",
    { a: [pods(2, "1.28.0")], b: [pods(2, "1.23.0-distroless")], c: [pods(2)] },
    { version: "1.26.0", usual: "1.26.0" },
    [
      "proxy 1.23.0, more than one minor from istiod 1.26.0 of old: shop/Deployment/b 2/2",
      "proxy 1.28.0, more than one minor from istiod 1.26.0 of old: shop/Deployment/a 2/2",
    ],
  ],
] as const;
test.each(cases)("%s", (_, groups, known, want) => {
  const told = describeAll(groups, known).map((each) => /proxy .*?(?=;)/u.exec(each)?.[0]);
  expect(told).toEqual(want);
});

test("the sentence has the count, the names, who ends it and how", () => {
  expect(describeAll({ web: [pods(2)] }, { version: "1.26.0", usual: "1.24.9" })).toEqual([
    "ProxySkew: 1 workload has pods with a proxy 1.24.9, more than one minor from istiod 1.26.0 of old: shop/Deployment/web 2/2; " +
      "their owners, once nothing pins its image: kubectl -n shop rollout restart deployment/web # in cluster one",
  ]);
});
