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
] as const;
for (const { name, change, want } of cases) {
  test(`4.5 C8 C16 ${name}: ${want ?? "nothing stands in the way"}`, () => {
    const cluster = makeCluster("one", [], change);
    expect(findRevisionObstacle(cluster, "new")?.code).toBe(want);
  });
}

test("a reason names the cluster, who may fix it, and the command", () => {
  const cluster = makeCluster("one", [], { facts: { budgetsKnown: false } });
  expect(wordsOf(findRevisionObstacle(cluster, "new"))).toEqual({
    code: "BudgetsUnknown",
    message: "the executor may not read the PodDisruptionBudgets of one",
    owner: "the cluster's RBAC administrator",
    command: "kubectl auth can-i watch poddisruptionbudgets.policy -A # as the executor",
  });
});

test("a cluster that is not seen says for how long, and whom to ask", () => {
  expect(wordsOf(findClusterObstacle(makeCluster("one", [], { fresh: false, ageMs: 90_400 })))).toEqual({
    code: "ClusterUnreachable",
    message: "one was last seen 90 s ago: facts older than 60 s do not count",
    owner: "the executor of one",
    command: "meshroll status",
  });
});

test("3.4 a cluster that is not fresh, or only observed, gets no work", () => {
  expect(findClusterObstacle(makeCluster("one", [], { fresh: false, ageMs: 90_000 }))?.code).toBe("ClusterUnreachable");
  expect(findClusterObstacle(makeCluster("one", [], { facts: { mode: "observe" } }))?.code).toBe("ObserveOnly");
  expect(findClusterObstacle(makeCluster("one", []))).toBeUndefined();
});
