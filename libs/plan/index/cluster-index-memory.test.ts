import type { RevisionFacts } from "#libs/fleet";
import { ClusterIndex, createOwnership } from "#libs/plan";
import { makeCluster, makeLedger, makeSpec, makeWorkload, noon, sha } from "#test/world/build";
import { expect, test } from "vitest";

const head = makeSpec(sha("head"), 50);
const ownerOf = createOwnership(head, makeLedger(), new Map(), []);
const waitingSince = new Map<string, number>();
const before: RevisionFacts = { name: "new", webhook: true, istiod: "ready" };

function reconcile(revision: RevisionFacts) {
  const cluster = makeCluster("one", [makeWorkload("shop/a")], { facts: { revisions: [revision] } });
  return new ClusterIndex({ cluster, head, ownerOf, now: noon, waitingSince }).basis;
}

const cases = [
  { name: "a count of its proxies", next: { ...before, proxies: { connected: 3, synced: 2 } }, forgets: false },
  { name: "istiod's version", next: { ...before, version: "1.26.0" }, forgets: true },
  { name: "an istiod that is not ready any more", next: { ...before, istiod: "unready" as const }, forgets: true },
];
for (const { name, next, forgets } of cases) {
  test(`${name} ${forgets ? "makes all be judged again" : "is no reason to judge a workload again"}`, () => {
    expect(reconcile(next) === reconcile(before)).toBe(!forgets);
  });
}
