import { expect, test } from "vitest";

import { createStepClock } from "#fakes/kube";

import { createFleet, type SandboxCluster } from "./create-fleet.ts";
import { distributeNamespaces } from "./distribute-namespaces.ts";
import { nameNamespaces } from "./names.ts";

function create(namespaces: number): readonly SandboxCluster[] {
  return createFleet({
    clock: createStepClock(),
    seed: "demo",
    namespaces,
    revisionOf: (name) => (name.endsWith("-staging") ? "1-25-2" : "1-24-5"),
    revisions: ["1-24-5", "1-25-2"],
    brokenOneIn: 33,
  });
}

function sum(clusters: readonly SandboxCluster[], count: (cluster: SandboxCluster) => number): number {
  return clusters.reduce((total, each) => total + count(each), 0);
}

function countPods({ model, managed, unmanaged }: SandboxCluster): number {
  return [...managed, ...unmanaged].reduce((total, ref) => total + model.podsOf(ref).length, 0);
}

test("the demo's fleet has the documented size", () => {
  const fleet = create(1000);
  const managed = sum(fleet, (each) => each.managed.length);
  expect(fleet.map(({ name }) => name)).toHaveLength(6);
  expect(managed).toBeGreaterThan(2400);
  expect(managed).toBeLessThan(2700);
  expect(sum(fleet, countPods)).toBeGreaterThan(38_000);
  expect(sum(fleet, countPods)).toBeLessThan(43_000);
  const broken = sum(fleet, (each) => each.broken.length) / managed;
  expect(broken).toBeGreaterThan(0.025);
  expect(broken).toBeLessThan(0.035);
});

test("every cluster has kube-system, workloads that opted out, host network, each kind of workload, and budgets", () => {
  for (const { managed, unmanaged, model } of create(1000)) {
    expect(new Set(managed.map(({ kind }) => kind))).toEqual(new Set(["Deployment", "StatefulSet", "DaemonSet"]));
    expect(unmanaged.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(
      expect.arrayContaining(["kube-system/coredns", "node-agents-staging/exporter", "edge/ingress"]),
    );
    expect(unmanaged.some(({ name }) => name === "legacy")).toBe(true);
    const query = { method: "GET", query: new URLSearchParams(), user: "test" };
    const budgets = model.api.handle({ ...query, path: "/apis/policy/v1/poddisruptionbudgets" });
    expect((budgets as { body: { items: unknown[] } }).body.items.length).toBeGreaterThan(5);
  }
});

test("the same options make the same fleet", () => {
  const describe = (fleet: readonly SandboxCluster[]) =>
    fleet.map((each) => [each.name, each.managed, each.broken, countPods(each)]);
  expect(describe(create(60))).toEqual(describe(create(60)));
});

test("names are unique and each has a cluster; staging is everywhere, production in no staging cluster", () => {
  const names = nameNamespaces(1000);
  expect(new Set(names).size).toBe(1000);
  const distributed = distributeNamespaces(names);
  expect(new Set([...distributed.values()].flat())).toEqual(new Set(names));
  for (const [cluster, here] of distributed) {
    expect(here.some((name) => name.endsWith("-staging"))).toBe(true);
    expect(here).toContain("istio-e2e");
    expect(new Set(here).size).toBe(here.length);
    const isProduction = (name: string) => !name.endsWith("-staging") && name !== "istio-e2e";
    expect(here.some(isProduction)).toBe(cluster !== "stage-use1");
  }
});
