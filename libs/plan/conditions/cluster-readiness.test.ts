import { makeCluster } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import type { ClusterFacts } from "#libs/fleet";
import { describe, expect, it, test } from "vitest";

import { findClusterObstacle, findRevisionObstacle, findRollbackObstacle } from "./cluster-readiness.ts";

const served = { name: "new", webhook: true, istiod: "missing" } as const;
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
  {
    name: "the dry run has the sidecar, although no istiod is seen",
    change: { facts: { revisions: [served], injection: { new: { state: "proven" } } } },
    want: undefined,
  },
  {
    name: "the dry run has no sidecar, although the istiod is ready",
    change: { facts: { injection: { new: { state: "refused", why: "it came back without a sidecar" } } } },
    want: "InjectionRefused",
  },
  {
    name: "the dry run was not answered",
    change: { facts: { injection: { new: { state: "unknown", why: "403" } } } },
    want: "InjectionUnproven",
  },
  { name: "there was no dry run yet", change: { facts: { injection: {} } }, want: "InjectionUnproven" },
  {
    name: "the dry run has the sidecar, and its istiod is not ready now",
    change: {
      facts: {
        revisions: [{ name: "new", webhook: true, istiod: "unready" }],
        injection: { new: { state: "proven" } },
      },
    },
    want: "IstiodNotReady",
  },
  {
    name: "the webhook calls another cluster, and the executor makes no dry runs",
    change: { facts: { revisions: [{ ...served, injectorHost: "mgmt.example" }] } },
    want: "InjectionUnproven",
  },
  {
    name: "it injects a proxy two minors behind its istiod",
    change: {
      facts: {
        revisions: [{ ...served, version: "1.31.0" }],
        injection: { new: { state: "proven", image: "istio/proxyv2:1.29.7" } },
      },
    },
    want: "InjectionSkewed",
  },
  {
    name: "it injects a proxy one minor behind its istiod",
    change: {
      facts: {
        revisions: [{ ...served, version: "1.31.0" }],
        injection: { new: { state: "proven", image: "istio/proxyv2:1.30.0" } },
      },
    },
    want: undefined,
  },
  {
    name: "the target is a tag, and only its revision's webhook has a dry run",
    change: {
      facts: {
        tags: { new: "1-26" },
        revisions: [{ name: "1-26", webhook: true, istiod: "ready" }],
        injection: { "1-26": { state: "proven" } },
      },
    },
    want: "InjectionUnproven",
  },
] as const;
for (const { name, change, want } of cases) {
  test(`4.5 C8 C16 ${name}: ${want ?? "nothing stands in the way"}`, () => {
    const cluster = makeCluster("one", [], change);
    expect(findRevisionObstacle(cluster.facts, "new")?.code).toBe(want);
  });
}

test("a tag without a revision names the missing revision", () => {
  const { facts } = makeCluster("one", [], { facts: { tags: { stable: "1-26" } } });
  expect(wordsOf(findRevisionObstacle(facts, "stable"))).toMatchObject({
    message: "revision 1-26 has no injector webhook in one",
    command: "istioctl install --revision 1-26 # in cluster one",
  });
});

test("a reason names the cluster, who can fix it, and the command", () => {
  const cluster = makeCluster("one", [], { facts: { budgetsKnown: false } });
  expect(wordsOf(findRevisionObstacle(cluster.facts, "new"))).toEqual({
    code: "BudgetsUnknown",
    message: "the executor may not read the PodDisruptionBudgets of one",
    owner: "the cluster's RBAC administrator",
    command: "kubectl auth can-i watch poddisruptionbudgets.policy -A # as the executor",
  });
});

test("a cluster that is not seen is reported with its age and its owner", () => {
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

describe("no advice to install a control plane next to one that runs elsewhere", () => {
  const listed = "kubectl get mutatingwebhookconfigurations -l istio.io/rev # in cluster one";
  const installs = [
    {
      name: "main places the control plane in another cluster",
      facts: { controlPlane: { cluster: "mgmt" } },
      want: listed,
    },
    {
      name: "the webhook of another revision is here without an istiod",
      facts: { revisions: [{ name: "old", webhook: true, istiod: "missing" }] },
      want: listed,
    },
    {
      name: "the webhook is here without an istiod",
      facts: { revisions: [served] },
      want: "kubectl -n istio-system get deployments -l app=istiod,istio.io/rev=new # in cluster one",
    },
    {
      name: "main names another namespace and label for istiod",
      facts: { revisions: [served], controlPlane: { namespace: "mesh", label: "app=pilot" } },
      want: "kubectl -n mesh get deployments -l app=pilot,istio.io/rev=new # in cluster one",
    },
  ] as const;
  it.each(installs)("$name", ({ facts, want }) => {
    const { revisions = [], ...others } = facts as Partial<ClusterFacts>;
    const cluster = makeCluster("one", [], { facts: { revisions, ...others } });
    expect(wordsOf(findRevisionObstacle(cluster.facts, "new"))?.command).toBe(want);
  });
});

test("2.3 unknown states do not hold a rollback, refused injection does", () => {
  const unknown = makeCluster("one", [], { facts: { injection: {} } });
  const refused = makeCluster("one", [], { facts: { injection: { new: { state: "refused", why: "none" } } } });
  expect(findRollbackObstacle(unknown.facts, "new")).toBeUndefined();
  expect(findRollbackObstacle(refused.facts, "new")?.code).toBe("InjectionRefused");
});

test("a rollback goes back to a revision whose proxies ran there before, whatever their version", () => {
  const facts: Partial<ClusterFacts> = {
    revisions: [{ ...served, version: "1.31.0" }],
    injection: { new: { state: "proven", image: "istio/proxyv2:1.29.7" } },
  };
  const cluster = makeCluster("one", [], { facts });
  expect(findRollbackObstacle(cluster.facts, "new")).toBeUndefined();
  expect(wordsOf(findRevisionObstacle(cluster.facts, "new"))).toMatchObject({
    message:
      "revision new injects proxy 1.29.7 in one, more than one minor from its istiod 1.31.0: the chart's global.tag, or " +
      "global.proxy.image, names another version",
    owner: "the mesh operator",
  });
});
