import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, lateMove, openShop, refOf, running, settingsOf, writeLate } from "../shop.ts";

const db = { namespace: "shop-db", kind: "StatefulSet", name: "db" } as const;
const quick = settingsOf("batchSize: 3, readinessTimeout: 60s, failurePolicy: ContinueOnError");
const onOld = { "istio.io/rev": "old" };

function addDb(model: KubeModel, podManagement: "OrderedReady" | "Parallel" = "Parallel"): void {
  model.addStatefulSet({ ns: "shop-db", name: "db", replicas: 3, labels: onOld, podManagement, readyMs: 5000 });
  model.breakWorkload(db, { how: "neverReady", whenRevision: "new" });
}

/** What the pods run, in their order; `bare`: no sidecar. */
function listPods(flow: FleetFlow, ref: WorkloadRef): readonly string[] {
  return flow
    .model("one")
    .podsOf(ref)
    .map(({ revision = "bare" }) => revision);
}

async function readProblems(flow: FleetFlow): Promise<readonly string[]> {
  return (await flow.status())?.clusters[0]?.problems ?? [];
}

/** Without those that name pods on a revision that is not served. */
async function readHeld(flow: FleetFlow): Promise<readonly string[]> {
  return (await readProblems(flow)).filter((problem) => !problem.includes("pods with its sidecar"));
}

/** `istioctl uninstall --revision old`, and what brings it back. */
function uninstallOld(flow: FleetFlow): () => void {
  const model = flow.model("one");
  model.setIstiod("old", "missing");
  model.removeWebhook("old");
  return () => model.addIstiod("old");
}

const missing = /^RevisionMissing: revision old has no injector webhook in one: .*the mesh operator: /;

test("1.1 a StatefulSet that fails is not put back to a revision without a webhook", async () => {
  const flow = await openShop({ names: ["a"], settings: quick, prepare: (model) => addDb(model) });
  flow.model("one").removeWebhook("old");
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  await flow.pass(200_000);

  expect(listPods(flow, db)).toEqual(["old", "old", "new"]);
  expect(run?.outcome?.skipped.map(({ workload, code }) => [workload, code])).toEqual([
    ["shop-db/StatefulSet/db", "ReadinessTimeout"],
  ]);
  expect(run?.outcome?.skipped[0]?.message).toMatch(
    /^ReadinessTimeout, not put back \(RevisionMissing\): .*\(meshroll doctor\)/,
  );
  expect(await readHeld(flow)).toEqual([expect.stringMatching(missing)]);
  // What runs on it still is named as well.
  expect(await readProblems(flow)).toContainEqual(
    expect.stringMatching(
      /^RevisionMissing: .*1 workload has pods with its sidecar: shop-db\/StatefulSet\/db 2\/3; the mesh/,
    ),
  );
  await flow.end();
});

test("1.1 it is put back by itself once the revision of before is served again, and its hint follows what serves", async () => {
  const flow = await openShop({ names: ["a"], settings: quick, prepare: (model) => addDb(model, "OrderedReady") });
  const install = uninstallOld(flow);
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  await flow.pass(60_000);
  const before = await readHeld(flow);
  install();
  await flow.pass(30_000);
  const served = await readHeld(flow);
  flow.model("one").removeWebhook("old");
  await flow.pass(30_000);
  const unserved = await readHeld(flow);

  expect(before).toEqual([expect.stringMatching(missing)]);
  expect(served).toEqual([expect.stringMatching(/kubectl -n shop-db delete pod db-2$/)]);
  expect(unserved).toEqual([expect.stringMatching(/Delete none of its pods.* RevisionMissing: .*istioctl install/)]);
  expect(listPods(flow, db)).toEqual(["old", "old", "new"]);
  // Marked once: the undo that was owed keeps the failure and its time.
  const failures = flow.bus.messages.filter(({ subject }) => subject === "meshroll.v1.workload.v1.failed");
  expect(failures).toHaveLength(1);
  await flow.end();
});

for (const condition of ["missing", "unready"] as const) {
  test(`1.1 the webhook of before is there, and its istiod is ${condition}`, async () => {
    const flow = await openShop({ names: ["a", "b"], settings: quick });
    flow.model("one").breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" });
    flow.model("one").setIstiod("old", condition);
    flow.whenMerged(file(100));
    await flow.untilRunsEnd(1);
    await flow.pass(60_000);
    const problems = await readHeld(flow);
    const stays = new Set(listPods(flow, refOf("b")));
    if (condition === "missing") flow.model("one").addIstiod("old");
    else flow.model("one").setIstiod("old", "ready");
    await flow.pass(60_000);

    expect(stays).toEqual(new Set(["old", "new"]));
    expect(problems).toContainEqual(
      expect.stringMatching(/^IstiodNotReady: .* shop-b\/Deployment\/web stays as it is/),
    );
    expect([running(flow, refOf("a")), running(flow, refOf("b"))]).toEqual([["new"], ["old"]]);
    expect(await readHeld(flow)).toEqual([]);
    await flow.end();
  });
}

const good = { namespace: "shop-unit", kind: "Deployment", name: "good" } as const;
const bad = { ...good, name: "bad" } as const;

test("1.1 a namespace whose label decides stays on the new revision, and what is healthy there is not restarted", async () => {
  const flow = await openShop({
    names: ["a"],
    settings: quick,
    prepare(model) {
      model.addNamespace("shop-unit", { labels: onOld });
      for (const ref of [good, bad])
        model.addDeployment({ ns: "shop-unit", name: ref.name, replicas: 2, readyMs: 5000 });
      model.breakWorkload(bad, { how: "neverReady", whenRevision: "new" });
    },
  });
  const install = uninstallOld(flow);
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  await flow.pass(120_000);
  const sets = flow.model("one").replicaSetsOf(good).length;
  const stays = [new Set(listPods(flow, good)), new Set(listPods(flow, bad))];
  const problems = await readHeld(flow);
  install();
  await flow.pass(120_000);

  expect([sets, ...stays]).toEqual([2, new Set(["new"]), new Set(["old", "new"])]);
  expect(problems).toEqual([expect.stringMatching(missing)]);
  // Served again, the namespace that failed as one is put back as one.
  expect([running(flow, good), running(flow, bad)]).toEqual([["old"], ["old"]]);
  await flow.end();
});

test("3.1 the try of a workload that was unhealthy before is not undone into nothing, and is no failure of the run", async () => {
  const flow = await openShop({ names: ["a", "b"], settings: settingsOf("batchSize: 3, readinessTimeout: 60s") });
  flow.model("one").breakWorkload(refOf("b"), { how: "neverReady" });
  await flow.pass(30_000);
  const install = uninstallOld(flow);
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  await flow.pass(60_000);
  const stays = new Set(listPods(flow, refOf("b")));
  install();
  await flow.pass(60_000);

  expect(run).toMatchObject({ state: "done", outcome: { migrated: 1 } });
  expect(stays.has("bare")).toBe(false);
  expect(flow.model("one").templateOf(refOf("b")).labels).toMatchObject(onOld);
  expect((await flow.status())?.failures?.count).toBe(0);
  await flow.end();
});

test("4.4 a late patch is reverted only to what is served", async () => {
  const flow = await openShop({ names: ["a", "b"] });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);
  const install = uninstallOld(flow);
  await flow.pass(30_000);
  await writeLate(flow, refOf("a"), lateMove(id));
  await flow.pass(60_000);
  const [stays, problems] = [running(flow, refOf("a")), await readHeld(flow)];
  install();
  await flow.pass(60_000);

  expect(stays).toEqual(["new"]);
  expect(problems).toEqual([expect.stringMatching(missing)]);
  expect([running(flow, refOf("a")), await readHeld(flow)]).toEqual([["old"], []]);
  await flow.end([
    /^demanded: one .*shop-a.*moved to new while main/,
    /^stoppedStands: one .*shop-a.*moved forward under the stop rollback-/,
    /^rollbackHolds: one .*shop-a.*moved forward after the rollback/,
  ]);
});

test("2.3 a rollback to what nothing serves waits by name, and moves no pod", async () => {
  const flow = await openShop({ names: ["a", "b"], settings: quick });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  uninstallOld(flow);
  flow.whenMerged(file(0));
  await flow.pass(120_000);

  expect([...listPods(flow, refOf("a")), ...listPods(flow, refOf("b"))]).toEqual(["new", "new", "new", "new"]);
  expect(JSON.stringify(await flow.status())).toContain("RevisionMissing");
  await flow.end();
});

test("a workload that lost its sidecars outside of any move is named with the command that brings them back", async () => {
  const flow = await openShop({ names: ["a", "b"] });
  const install = uninstallOld(flow);
  const [pod] = flow.model("one").podsOf(refOf("a"));
  flow.model("one").ownerApply(refOf("a"), { image: "app:2" });
  await flow.pass(30_000);
  const before = await readProblems(flow);
  install();
  await flow.pass(30_000);

  expect([pod?.revision, ...listPods(flow, refOf("a"))]).toEqual(["old", "bare", "bare"]);
  expect(before).toEqual([
    expect.stringMatching(
      /^NoSidecar: 1 workload has pods without a sidecar: shop-a\/Deployment\/web 2\/2; their owners/,
    ),
    expect.stringMatching(/^RevisionMissing: .* 1 workload has pods with its sidecar: shop-b\/Deployment\/web 2\/2; /),
  ]);
  expect(await readProblems(flow)).toEqual([
    expect.stringMatching(/kubectl -n shop-a rollout restart deployment\/web/),
  ]);
  await flow.end();
});

test("4.5 one more try towards what is not served any more is an undo", async () => {
  const settings = settingsOf("batchSize: 3, readinessTimeout: 60s, maxAttempts: 3, failurePolicy: ContinueOnError");
  const flow = await openShop({ names: ["a"], settings });
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100));
  await flow.pass(20_000);
  flow.model("one").removeWebhook("new");
  await flow.pass(120_000);

  expect(listPods(flow, refOf("a"))).toEqual(["old", "old"]);
  await flow.end();
});

test("5.2 a namespace that asked for the default revision is not turned back to it when none serves that", async () => {
  const flow = await openShop({
    names: ["a"],
    settings: quick,
    prepare(model) {
      model.addTag("default", "old");
      model.addNamespace("shop-unit", { labels: { "istio-injection": "enabled" } });
      model.addDeployment({ ns: "shop-unit", name: "bad", replicas: 2, readyMs: 5000 });
      model.breakWorkload(bad, { how: "neverReady", whenRevision: "new" });
    },
  });
  uninstallOld(flow);
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  await flow.pass(60_000);

  expect(listPods(flow, bad)).not.toContain("bare");
  expect(await readHeld(flow)).toEqual([expect.stringMatching(missing)]);
  await flow.end();
});
