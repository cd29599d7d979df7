import { type ClusterFacts, findIstiodVersion, isSkewed, type PodGroup, readImageVersion } from "#libs/fleet";
import { printSkewedPods, type SkewedGroup } from "#libs/wording";

import { type ClusterIndex, countPods } from "../../index/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";

/** The versions of a proxy and of its istiod, more than one minor apart. */
type Skew = Omit<SkewedGroup, "workloads">;

/** Undefined where they are at most one minor apart, or one of them is not known. */
function findSkew({ revision, image }: Pick<PodGroup, "revision" | "image">, facts: ClusterFacts): Skew | undefined {
  if (revision === undefined) return undefined;
  const used = image ?? facts.revisions.find(({ name }) => name === revision)?.proxyImage;
  const proxy = used === undefined ? undefined : readImageVersion(used);
  const istiod = findIstiodVersion(facts, revision);
  if (proxy === undefined || istiod.version === undefined || !isSkewed(proxy.version, istiod.version)) return undefined;
  return { revision, proxy: proxy.text, istiod: istiod.text };
}

function nameSkew({ revision, proxy }: Skew): string {
  return `${revision} ${proxy}`;
}

/** The workload's pods by their skew. */
function countSkewed({ workload }: JudgedWorkload, facts: ClusterFacts): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const group of workload.pods) {
    const skew = group.count > 0 ? findSkew(group, facts) : undefined;
    if (skew !== undefined) counts.set(nameSkew(skew), (counts.get(nameSkew(skew)) ?? 0) + group.count);
  }
  return counts;
}

/** The skews that there are, and the namespaces with pods of one. */
function findPlaces(index: ClusterIndex, facts: ClusterFacts) {
  const skews = new Map<string, Skew>();
  const places = new Set<string>();
  for (const proxy of countPods(index, facts)) {
    const skew = findSkew(proxy, facts);
    if (skew === undefined) continue;
    skews.set(nameSkew(skew), skew);
    for (const namespace of proxy.namespaces) places.add(namespace);
  }
  return { skews, places: [...places].toSorted() };
}

/**
 * Pods whose proxy is more than one minor from its istiod, gateways included: one sentence for each revision and version. It happens
 * when a revision is upgraded in place, and where an owner pins the proxy's image.
 */
export function describeSkewed(index: ClusterIndex, facts: ClusterFacts): readonly string[] {
  const { skews, places } = findPlaces(index, facts);
  const named = new Map<string, string[]>();
  for (const each of places.flatMap((namespace) => index.judge(namespace))) {
    const all = each.workload.pods.reduce((sum, { count }) => sum + count, 0);
    for (const [name, count] of countSkewed(each, facts))
      named.set(name, [...(named.get(name) ?? []), `${each.key} ${count}/${all}`]);
  }
  return [...skews]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, skew]) => printSkewedPods(facts.cluster, { ...skew, workloads: named.get(name) ?? [] }));
}
