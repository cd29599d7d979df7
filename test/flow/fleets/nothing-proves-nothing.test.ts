import type { WorkloadRef } from "#libs/fleet";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, listWaits, openShop, running, listMovedPaths } from "../shop.ts";

const onOld = { "istio.io/rev": "old" };
const zero: WorkloadRef = { namespace: "shop-zero", kind: "Deployment", name: "web" };

/** Counts of the only open run. */
async function countsOf(flow: FleetFlow) {
  const [run] = (await flow.status())?.runs ?? [];
  return run === undefined ? undefined : { migrated: run.migrated, idle: run.idle, state: "open" };
}

test("a workload with 0 replicas is idle, not migrated: the run ends and says so", async () => {
  const flow = await openShop({
    names: ["a"],
    prepare: (model) => model.addDeployment({ ns: "shop-zero", name: "web", replicas: 0, labels: onOld }),
  });
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);

  expect(run).toMatchObject({ state: "done", outcome: { migrated: 1, idle: 1, skipped: [] } });
  expect(flow.bus.messages.filter(({ subject }) => subject.endsWith("workload.v1.migrated"))).toHaveLength(1);
  await flow.end();
});

test("a run of idle workloads only proves nothing: it waits until one of them has pods", async () => {
  const flow = await openShop({
    names: [],
    prepare: (model) => model.addDeployment({ ns: "shop-zero", name: "web", replicas: 0, labels: onOld }),
  });
  flow.whenMerged(file(100));
  await flow.until("it waits for evidence", async () => (await listWaits(flow)).includes("NoEvidence"));
  expect(await countsOf(flow)).toEqual({ migrated: 0, idle: 1, state: "open" });
  const wait = (await flow.status())?.waiting.find(({ code }) => code === "NoEvidence");
  expect(wait).toMatchObject({ owner: "ana", command: "meshroll validate meshroll.yml" });

  flow.model("one").ownerApply(zero, { replicas: 2 });
  const [run] = await flow.untilRunsEnd(1);
  expect(run).toMatchObject({ state: "done", outcome: { migrated: 1 } });
  expect(running(flow, zero)).toEqual(["new"]);
  await flow.end();
});

for (const [what, add] of [
  ["Deployment", "addDeployment"],
  ["StatefulSet", "addStatefulSet"],
] as const) {
  test(`a ${what} that gets replicas long after its label was set is proven then, and the time in between is no failure`, async () => {
    const flow = await openShop({
      names: [],
      prepare: (model) => model[add]({ ns: "shop-zero", name: "web", replicas: 0, labels: onOld, readyMs: 20_000 }),
    });
    flow.whenMerged(file(100));
    await flow.until("it waits for evidence", async () => (await listWaits(flow)).includes("NoEvidence"));
    await flow.pass(2_400_000);
    const woken = { ...zero, kind: what };
    flow.model("one").ownerApply(woken, { replicas: 1 });
    const [run] = await flow.untilRunsEnd(1);

    expect(run).toMatchObject({ state: "done", outcome: { migrated: 1, skipped: [] } });
    expect(running(flow, woken)).toEqual(["new"]);
    await flow.end();
  });
}

const byAnnotation = (image: string) => ({ annotations: { "sidecar.istio.io/proxyImage": image } });
const pins = [
  { what: "an annotation", template: byAnnotation("istio/proxyv2:1.25.9"), code: "ProxyPinned", ends: "new" },
  {
    what: "a container of the template",
    template: { proxyImage: "istio/proxyv2:1.27.0" },
    code: "ProxyPinned",
    ends: "new",
  },
  {
    what: "an annotation, two minors behind,",
    template: byAnnotation("istio/proxyv2:1.24.9"),
    code: "ProxySkew",
    ends: "old",
  },
  {
    what: "an annotation without a version",
    template: byAnnotation("istio/proxyv2:latest"),
    code: "ProxySkew",
    ends: "old",
  },
];

for (const { what, template, code, ends } of pins) {
  test(`a sidecar that ${what} pins ends on ${ends} as ${code}, and its workload does not count as migrated`, async () => {
    const pinned: WorkloadRef = { namespace: "shop-pin", kind: "Deployment", name: "web" };
    const flow = await openShop({
      names: ["a"],
      prepare: (model) => {
        model.setIstiodVersion("new", "1.26.0");
        model.addDeployment({ ns: "shop-pin", name: "web", replicas: 2, labels: onOld, readyMs: 5000, ...template });
      },
    });
    flow.whenMerged(file(100));
    const [run] = await flow.untilRunsEnd(1);

    expect(run).toMatchObject({
      state: "done",
      outcome: { migrated: 1, skipped: [{ workload: "shop-pin/Deployment/web", code }] },
    });
    expect((await flow.status())?.skipped?.items).toMatchObject([{ code, revision: "new" }]);
    expect(running(flow, pinned)).toEqual([ends]);
    const messages = flow.bus.messages.filter(({ subject }) => subject.endsWith("workload.v1.migrated"));
    expect(messages).toHaveLength(1);
    await flow.end();
  });
}

const ofRollout = {
  labels: { app: "web", ...onOld, "rollouts-pod-template-hash": "5c9f" },
  owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-5c9f" },
};

test("a Deployment whose template an Argo Rollout uses is skipped by name and never written", async () => {
  const flow = await openShop({
    names: ["a"],
    prepare: (model) => {
      model.addDeployment({ ns: "shop-zero", name: "web", replicas: 0, labels: onOld });
      model.addPod({ ns: "shop-zero", name: "web-5c9f-x", ...ofRollout });
    },
  });
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);

  expect(run).toMatchObject({
    state: "done",
    outcome: { migrated: 1, skipped: [{ workload: "shop-zero/Deployment/web", code: "ManagedByRollout" }] },
  });
  expect(listMovedPaths(flow).some((path) => path.includes("shop-zero"))).toBe(false);
  await flow.end();
});
