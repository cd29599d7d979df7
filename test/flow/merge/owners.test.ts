import { printWorkloadReason } from "#libs/wording";

import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { listChanges, countOn, file, openShop, refOf, running, settingsOf, listMovedPaths } from "../shop.ts";

const onOld = { "istio.io/rev": "old" };

/** Reasons of the first run's skipped workloads, by workload. */
async function skippedOf(flow: FleetFlow): Promise<Readonly<Record<string, string>>> {
  const skipped = (await flow.runs())[0]?.outcome?.skipped ?? [];
  return Object.fromEntries(skipped.map(({ workload, ...reason }) => [workload, printWorkloadReason(reason)]));
}

test("3.4 a run ends without a workload that was deleted midway", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.until("something moves", () => listMovedPaths(flow).length > 0);
  await flow.pass(1000);

  flow.model("one").deleteWorkload(refOf("a"));
  flow.model("one").deleteNamespace("shop-f");
  const runs = await flow.untilRunsEnd(1);

  expect(runs[0]).toMatchObject({ state: "done", outcome: { migrated: 4, skipped: [] } });
  await flow.end();
});

test("3.4 a workload that is created again in the middle of a run is judged again", async () => {
  const flow = await openShop();
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100), settingsOf("batchSize: 1, failurePolicy: ContinueOnError, readinessTimeout: 60s"));
  await flow.until("it failed", () => flow.bus.messages.some(({ subject }) => subject.endsWith("workload.v1.failed")));
  await flow.pass(5000);

  // The same name, another UID, no annotation of ours.
  flow.model("one").deleteWorkload(refOf("a"));
  flow.model("one").addDeployment({ ns: "shop-a", name: "web", replicas: 2, labels: onOld, readyMs: 5000 });
  await flow.until("the other five are there", () => countOn(flow, "new") === 5);
  await flow.pass(200_000);

  expect(listMovedPaths(flow).filter((path) => path.includes("shop-a"))).toHaveLength(4);
  expect(Object.keys(await skippedOf(flow))).toEqual(["shop-a/Deployment/web"]);
  await flow.end();
});

test("5.3 a tag's workloads wait by name until its owner moves the tag, then restart once", async () => {
  const flow = await openShop({
    prepare(model) {
      model.addTag("stable", "old");
      model.addDeployment({
        ns: "tagged",
        name: "web",
        replicas: 2,
        labels: { "istio.io/rev": "stable" },
        readyMs: 5000,
      });
    },
  });
  const tagged = { namespace: "tagged", kind: "Deployment", name: "web" } as const;
  flow.whenMerged(file(100));
  await flow.pass(1_200_000);
  const before = [running(flow, tagged), (await flow.runs())[0]?.state, (await flow.status())?.runs[0]?.waiting];

  flow.model("one").addTag("stable", "new");
  const runs = await flow.untilRunsEnd(1);

  expect(before).toEqual([["old"], "open", 1]);
  expect(running(flow, tagged)).toEqual(["new"]);
  expect(listMovedPaths(flow).filter((path) => path.includes("tagged"))).toHaveLength(1);
  expect(runs[0]).toMatchObject({ state: "done", outcome: { migrated: 7 } });

  // 5.3: a tag that moves without a commit is drift, so nothing is restarted.
  flow.model("one").addTag("stable", "old");
  await flow.pass(120_000);
  expect(listMovedPaths(flow).filter((path) => path.includes("tagged"))).toHaveLength(1);
  expect((await flow.status())?.clusters[0]?.drift).toBe(1);
  await flow.end();
});

test("what is not managed is never touched", async () => {
  const web = { name: "web", replicas: 2, labels: onOld };
  const flow = await openShop({
    prepare(model) {
      model.addDeployment({ ns: "kube-system", ...web });
      model.addDeployment({ ns: "istio-system", ...web });
      model.addDeployment({ ns: "plain", name: "web", replicas: 2 });
      model.addDeployment({ ns: "off", ...web, labels: { ...onOld, "sidecar.istio.io/inject": "false" } });
      model.addDeployment({ ns: "host", ...web, hostNetwork: true });
      model.addDeployment({ ns: "edge", ...web, annotations: { "inject.istio.io/templates": "gateway" } });
    },
  });
  flow.whenMerged(file(100));
  const runs = await flow.untilRunsEnd(1);

  expect(runs[0]).toMatchObject({ state: "done", outcome: { migrated: 6, skipped: [] } });
  expect(listMovedPaths(flow).every((path) => path.startsWith("shop-"))).toBe(true);
  await flow.end();
});

test("5.1 StatefulSets and DaemonSets move by one patch of their template's label", async () => {
  const flow = await openShop({
    prepare(model) {
      model.addStatefulSet({ ns: "data", name: "db", replicas: 3, labels: onOld, readyMs: 5000 });
      model.addDaemonSet({ ns: "node", name: "agent", replicas: 3, labels: onOld, readyMs: 5000 });
    },
  });
  flow.whenMerged(file(100));
  const runs = await flow.untilRunsEnd(1);

  expect(running(flow, { namespace: "data", kind: "StatefulSet", name: "db" })).toEqual(["new"]);
  expect(running(flow, { namespace: "node", kind: "DaemonSet", name: "agent" })).toEqual(["new"]);
  expect(runs[0]).toMatchObject({ state: "done", outcome: { migrated: 8 } });
  expect(listMovedPaths(flow)).toHaveLength(8);
  await flow.end();
});

test("5.1 a move is one merge patch by meshroll: label, previous and run, at the object's resourceVersion", async () => {
  const flow = await openShop();
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);

  for (const write of listChanges(flow.model("one"))) {
    expect(write).toMatchObject({ verb: "patch", fieldManager: "meshroll", status: 200 });
    expect(write.body).toEqual({
      metadata: {
        resourceVersion: write.before,
        annotations: {
          "meshroll.dev/run": `${id} new`,
          "meshroll.dev/previous": JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } }),
        },
      },
      spec: { template: { metadata: { labels: { "istio.io/rev": "new" } } } },
    });
  }
  await flow.end();
});
