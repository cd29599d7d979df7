import { expect, test } from "vitest";

import { countOn, file, listChanges, openShop, refOf, running, settingsOf } from "../shop.ts";

test("3.3 a bad workload is annotated and put back, the run stops, and resume lets it continue", async () => {
  const bad = refOf("c");
  const flow = await openShop({
    prepare: (model) => void model.breakWorkload(bad, { how: "neverReady", whenRevision: "new" }),
  });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("the run is stopped", async () => (await flow.status())?.stops[0]?.scope === `run/${id}`);
  await flow.pass(600_000);
  const stopped = countOn(flow, "new");
  await flow.whenAsked({ verb: "resume", scope: `run/${id}` });
  const runs = await flow.untilRunsEnd(1);

  expect(stopped).toBeLessThan(5);
  expect(runs[0]?.outcome?.skipped.map(({ workload }) => workload)).toEqual(["shop-c/Deployment/web"]);
  expect([running(flow, bad), countOn(flow, "new")]).toEqual([["old"], 5]);
  // Put back exactly: the old ReplicaSet is used again, and there is no third one.
  expect(flow.model("one").replicaSetsOf(bad)).toHaveLength(2);
  await flow.end();
});

test("3.1 a workload that was broken before the run is tried once, at the end, and is never our failure", async () => {
  const flow = await openShop({ prepare: (model) => void model.breakWorkload(refOf("a"), { how: "crash" }) });
  flow.whenMerged(file(100));
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
  const place = (namespace: string, name: string) => ({ namespace, kind: "Deployment", name }) as const;
  const flow = await openShop({
    names: [],
    prepare(model) {
      for (const ns of ["good", "bad"]) {
        model.addNamespace(ns, { labels: { "istio.io/rev": "old" } });
        for (const name of ["a", "b"]) model.addDeployment({ ns, name, replicas: 2, readyMs: 5000 });
      }
      model.breakWorkload(place("bad", "b"), { how: "neverReady", whenRevision: "new" });
    },
  });
  flow.whenMerged(file(100), settingsOf("batchSize: 1, failurePolicy: ContinueOnError"));
  const runs = await flow.untilRunsEnd(1);
  await flow.pass(120_000);

  const of = (namespace: string) => ["a", "b"].map((name) => running(flow, place(namespace, name)));
  expect([of("good"), of("bad")]).toEqual([
    [["new"], ["new"]],
    [["old"], ["old"]],
  ]);
  expect(runs[0]?.outcome?.skipped.map(({ workload }) => workload)).toEqual(["bad/Deployment/a", "bad/Deployment/b"]);
  await flow.end();
});
