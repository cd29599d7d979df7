import { makeCluster } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import { expect, test } from "vitest";

import { findClusterObstacle, findRevisionObstacle } from "./cluster-readiness.ts";

const cases = [
  { name: "a fresh cluster with both revisions", change: {}, want: undefined },
  { name: "budgets that may not be read", change: { facts: { budgetsKnown: false } }, want: "BudgetsUnknown" },
  { name: "no such revision", change: { facts: { revisions: [] } }, want: "RevisionMissing" },
  {
    name: "a revision without its webhook",
    change: { facts: { revisions: [{ name: "new", webhook: false, istiod: "ready" }] } },
    want: "RevisionMissing",
  },
  {
    name: "an istiod that is not ready",
    change: { facts: { revisions: [{ name: "new", webhook: true, istiod: "unready" }] } },
    want: "IstiodNotReady",
  },
  {
    name: "a tag as the target, which leads to a revision that is ready",
    change: { facts: { tags: { new: "1-26" }, revisions: [{ name: "1-26", webhook: true, istiod: "ready" }] } },
    want: undefined,
  },
  {
    name: "a tag as the target, which leads to a revision that is not ready",
    change: { facts: { tags: { new: "1-26" }, revisions: [{ name: "1-26", webhook: true, istiod: "unready" }] } },
    want: "IstiodNotReady",
  },
  {
    name: "a tag as the target, which leads to a revision that is gone",
    change: { facts: { tags: { new: "1-26" } } },
    want: "RevisionMissing",
  },
] as const;
for (const { name, change, want } of cases) {
  test(`4.5 C8 C16 ${name}: ${want ?? "nothing stands in the way"}`, () => {
    const cluster = makeCluster("one", [], change);
    expect(findRevisionObstacle(cluster.facts, "new")?.code).toBe(want);
  });
}

test("a tag that leads nowhere is told by the revision that is missing", () => {
  const { facts } = makeCluster("one", [], { facts: { tags: { stable: "1-26" } } });
  expect(wordsOf(findRevisionObstacle(facts, "stable"))).toMatchObject({
    message: "revision 1-26 has no injector webhook in one",
    command: "istioctl install --revision 1-26 # in cluster one",
  });
});

test("a reason names the cluster, who may fix it, and the command", () => {
  const cluster = makeCluster("one", [], { facts: { budgetsKnown: false } });
  expect(wordsOf(findRevisionObstacle(cluster.facts, "new"))).toEqual({
    code: "BudgetsUnknown",
    message: "the executor may not read the PodDisruptionBudgets of one",
    owner: "the cluster's RBAC administrator",
    command: "kubectl auth can-i watch poddisruptionbudgets.policy -A # as the executor",
  });
});

test("a cluster that is not seen says for how long, and whom to ask", () => {
  expect(wordsOf(findClusterObstacle(makeCluster("one", [], { fresh: false, ageMs: 90_400 })))).toEqual({
    code: "ClusterUnreachable",
    message: "one is not seen: facts older than 60 s do not count",
    owner: "the executor of one",
    ageSeconds: 90,
    command: "meshroll status",
  });
});

test("3.4 a cluster that is not fresh, or only observed, gets no work", () => {
  expect(findClusterObstacle(makeCluster("one", [], { fresh: false, ageMs: 90_000 }))?.code).toBe("ClusterUnreachable");
  expect(findClusterObstacle(makeCluster("one", [], { facts: { mode: "observe" } }))?.code).toBe("ObserveOnly");
  expect(findClusterObstacle(makeCluster("one", []))).toBeUndefined();
});
