import type { WorkloadRef } from "#libs/fleet";
import { expect, test } from "vitest";

import { file, openShop, refOf, running, listMovedPaths } from "../shop.ts";

const settings = `defaults:
  strategy: OnDeploy
  deadline: 15m
  batch: { batchSize: 10, delayBetweenBatches: 10s }
`;
const minute = 60_000;
const carried = { templateLabels: { "istio.io/rev": "new" } };
/** In a namespace whose own label decides. */
const edge: WorkloadRef = { namespace: "edge", kind: "Deployment", name: "web" };

/** Four workloads whose templates' labels decide, and one in namespace `edge`. */
async function openDeploys(own = settings) {
  return openShop({
    names: ["a", "b", "c", "d"],
    settings: own,
    prepare: (model) => {
      model.addNamespace("edge", { labels: { "istio.io/rev": "old" } });
      model.addDeployment({ ns: "edge", name: "web", replicas: 2 });
    },
  });
}

test("4.2 OnDeploy: owners' deploys move workloads, a namespace is only relabelled, and the deadline restarts the rest", async () => {
  const flow = await openDeploys();
  flow.whenMerged(file(100));
  await flow.pass(4 * minute);

  expect(listMovedPaths(flow)).toEqual(["edge"]);
  expect(["a", "b", "c", "d"].flatMap((name) => running(flow, refOf(name)))).toEqual(["old", "old", "old", "old"]);
  expect(running(flow, edge)).toEqual(["old"]);

  flow.model("one").ownerApply(refOf("a"), carried);
  flow.model("one").ownerApply(edge, { image: "registry.example/web:2" });
  await flow.pass(4 * minute);
  const status = await flow.status();
  expect([running(flow, refOf("a")), running(flow, edge)]).toEqual([["new"], ["new"]]);
  expect(status?.runs).toMatchObject([{ migrated: 2, waiting: 3, pending: 0, skippedTotal: 0 }]);
  expect(status?.waiting).toMatchObject([{ code: "AwaitsDeploy", until: expect.any(String) as string }]);

  await flow.pass(6 * minute);
  expect(listMovedPaths(flow)).toHaveLength(1);
  await flow.untilRunsEnd(1);
  expect(["b", "c", "d"].flatMap((name) => running(flow, refOf(name)))).toEqual(["new", "new", "new"]);
  expect(listMovedPaths(flow)).toHaveLength(4);
  expect((await flow.runs())[0]?.outcome).toMatchObject({ migrated: 5, skipped: [] });
  await flow.end();
});

test("4.2 OnDeploy: a deadline that is merged later counts at once, and a rollback waits for no deploy", async () => {
  const flow = await openDeploys();
  flow.whenMerged(file(100));
  await flow.pass(2 * minute);
  flow.model("one").ownerApply(refOf("a"), carried);
  await flow.pass(2 * minute);
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);
  expect(["a", "b"].flatMap((name) => running(flow, refOf(name)))).toEqual(["old", "old"]);

  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  flow.whenMerged(file(100), settings.replace("15m", "0s"));
  await flow.untilRunsEnd(3);
  expect(running(flow, refOf("d"))).toEqual(["new"]);
  await flow.end();
});

test("4.2 OnDeploy: its owner's turn begins at the deadline, and so do restarts below a label that its owner wrote", async () => {
  const timed = settings.replace("delayBetweenBatches: 10s", "delayBetweenBatches: 10s, readinessTimeout: 10m");
  const flow = await openDeploys(timed);
  flow.model("one").ownerPatchNamespace("edge", { labels: { "istio.io/rev": "new" } });
  flow.whenMerged(file(100), timed);
  await flow.pass(14 * minute);
  const early = listMovedPaths(flow);
  flow.model("one").ownerApply(refOf("a"), { paused: true });
  await flow.pass(4 * minute);
  expect([early, running(flow, edge), running(flow, refOf("b"))]).toEqual([[], ["new"], ["new"]]);
  expect((await flow.status())?.runs).toMatchObject([{ waiting: 1, skippedTotal: 0 }]);
  await flow.pass(10 * minute);
  expect((await flow.runs())[0]?.outcome?.skipped).toMatchObject([{ code: "PausedByOwner" }]);
  await flow.end();
});

test("5.2 OnDeploy: of relabelled namespaces one under a stop keeps back no other at the deadline", async () => {
  const flow = await openShop({
    names: ["a"],
    settings,
    prepare: (model) => {
      for (const ns of ["aa", "bb"]) {
        model.addNamespace(ns, { labels: { "istio.io/rev": "old" } });
        model.addDeployment({ ns, name: "web", replicas: 2 });
      }
    },
  });
  flow.whenMerged(file(100));
  await flow.pass(4 * minute);
  await flow.whenAsked({ verb: "stop", scope: "namespace/aa" });
  await flow.pass(16 * minute);
  const see = (namespace: string) => running(flow, { namespace, kind: "Deployment", name: "web" });
  expect([see("aa"), see("bb")]).toEqual([["old"], ["new"]]);
  await flow.end();
});
