import { createModel } from "#fakes/kube";
import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { listChanges } from "../shop.ts";

const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 10s }\n";

/** Six workloads in six namespaces, all on `old`, in one cluster with both revisions. */
function makeFlow(): FleetFlow {
  const flow = new FleetFlow();
  const model = createModel({ clock: flow.clock });
  model.addIstiod("old");
  model.addIstiod("new");
  for (const name of ["a", "b", "c", "d", "e", "f"]) {
    model.addDeployment({
      ns: `shop-${name}`,
      name: "web",
      replicas: 2,
      labels: { "istio.io/rev": "old" },
      readyMs: 5000,
    });
  }
  model.addDeployment({ ns: "kube-system", name: "dns", replicas: 2 });
  return flow.givenCluster("one", model);
}

function revisionsOf(flow: FleetFlow): Readonly<Record<string, readonly (string | undefined)[]>> {
  const model = flow.model("one");
  return Object.fromEntries(
    ["a", "b", "c", "d", "e", "f"].map((name) => {
      const pods = model.podsOf({ namespace: `shop-${name}`, kind: "Deployment", name: "web" });
      return [`shop-${name}`, [...new Set(pods.map((pod) => pod.revision))]];
    }),
  );
}

test("3.3 a bad workload is marked and put back, the run stops, and resume lets it go on", async () => {
  const flow = makeFlow();
  const bad = { namespace: "shop-c", kind: "Deployment", name: "web" } as const;
  flow.model("one").breakWorkload(bad, { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(0), settings);
  await flow.givenBaseline();
  flow.startExecutor().startPlanner();
  await flow.pass(30_000);

  const id = flow.whenMerged(file(100), settings).slice(0, 12);
  await flow.until("the run is stopped", async () => (await flow.status())?.stops[0]?.scope === `run/${id}`);
  await flow.pass(600_000);
  const stopped = revisionsOf(flow);
  await flow.whenAsked({ verb: "resume", scope: `run/${id}` });
  const runs = await flow.untilRunsEnd(1);

  expect(Object.values(stopped).filter(([revision]) => revision === "new").length).toBeLessThan(5);
  expect(runs[0]?.outcome?.skipped.map(({ workload }) => workload)).toEqual(["shop-c/Deployment/web"]);
  expect(revisionsOf(flow)).toMatchObject({ "shop-a": ["new"], "shop-c": ["old"], "shop-f": ["new"] });
  // Put back exactly: the old ReplicaSet serves again, and no third template was made.
  expect(flow.model("one").replicaSetsOf(bad)).toHaveLength(2);
  await flow.end();
});

test("3.1 a workload that was broken before the run is tried once, at the end, and is never our failure", async () => {
  const flow = makeFlow();
  const sick = { namespace: "shop-a", kind: "Deployment", name: "web" } as const;
  flow.model("one").breakWorkload(sick, { how: "crash" });
  flow.whenMerged(file(0), settings);
  await flow.givenBaseline();
  flow.startExecutor().startPlanner();
  await flow.pass(30_000);

  flow.whenMerged(file(100), settings);
  const runs = await flow.untilRunsEnd(1);

  expect(runs[0]).toMatchObject({ state: "done", outcome: { migrated: 5 } });
  expect(runs[0]?.outcome?.skipped[0]?.code).toBe("UnhealthyBefore");
  expect(
    listChanges(flow.model("one"))
      .map(({ path }) => path)
      .findIndex((path) => path.includes("shop-a")),
  ).toBe(5);
  await flow.end();
});

test("5.2 a namespace whose label decides moves as a unit, and is rolled back as one when a workload of it fails", async () => {
  const flow = new FleetFlow();
  const model = createModel({ clock: flow.clock });
  model.addIstiod("old");
  model.addIstiod("new");
  for (const ns of ["good", "bad"]) {
    model.addNamespace(ns, { labels: { "istio.io/rev": "old" } });
    for (const name of ["a", "b"]) model.addDeployment({ ns, name, replicas: 2, readyMs: 5000 });
  }
  model.breakWorkload({ namespace: "bad", kind: "Deployment", name: "b" }, { how: "neverReady", whenRevision: "new" });
  flow.givenCluster("one", model).whenMerged(file(0), `${settings}  onWorkloadFailure: revert\n`);
  await flow.givenBaseline();
  flow.startExecutor().startPlanner();
  await flow.pass(30_000);

  flow.whenMerged(
    file(100),
    "defaults:\n  batch: { batchSize: 1, delayBetweenBatches: 10s, failurePolicy: ContinueOnError }\n",
  );
  const runs = await flow.untilRunsEnd(1);
  await flow.pass(120_000);

  const running = (namespace: string, name: string) => [
    ...new Set(model.podsOf({ namespace, kind: "Deployment", name }).map((pod) => pod.revision)),
  ];
  expect([running("good", "a"), running("good", "b")]).toEqual([["new"], ["new"]]);
  expect([running("bad", "a"), running("bad", "b")]).toEqual([["old"], ["old"]]);
  expect(runs[0]?.outcome?.skipped.map(({ workload }) => workload)).toEqual(["bad/Deployment/a", "bad/Deployment/b"]);
  await flow.end();
});
