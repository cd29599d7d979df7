import type { RunRecord } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running, settingsOf, listMovedPaths } from "../shop.ts";

const onOld = { "istio.io/rev": "old" };
const deploy = { image: "registry.example/web:2", templateLabels: onOld };
const settings = settingsOf("batchSize: 2, readinessTimeout: 60s", "  drift: converge\n");

/** All six shops are on `new`, and main's settings converge drift. */
async function openConverging(drift = settings): Promise<FleetFlow> {
  const flow = await openShop({ settings: drift });
  flow.whenMerged(file(100), drift);
  await flow.untilRunsEnd(1);
  return flow;
}

async function listConverging(flow: FleetFlow): Promise<readonly RunRecord[]> {
  return (await flow.runs()).filter(({ converge }) => converge?.cause === "deploys");
}

test("with drift: converge, workloads that owners' deploys put back converge by themselves after their rollouts", async () => {
  const flow = await openConverging();
  flow.model("one").ownerApply(refOf("a"), deploy);
  flow.model("one").ownerApply(refOf("b"), deploy);
  await flow.pass(3000);
  const during = [listMovedPaths(flow).length, (await flow.status())?.putBack?.workloads];
  await flow.until("all are back", () => countOn(flow, "new") === 6);
  await flow.pass(60_000);

  expect(during).toEqual([6, 2]);
  expect(listMovedPaths(flow)).toHaveLength(8);
  expect(await listConverging(flow)).toMatchObject([
    { state: "done", author: "meshroll planner", converge: { scope: "all" }, outcome: { migrated: 2 } },
  ]);
  await flow.end();
});

test("a workload that is put back a second time within a day is named with the field manager and left alone", async () => {
  const flow = await openConverging();
  const argo = { manager: "argocd-controller" };
  flow.model("one").ownerApply(refOf("a"), deploy, argo);
  await flow.until("it is back", () => countOn(flow, "new") === 6);
  await flow.pass(60_000);
  flow.model("one").ownerApply(refOf("a"), { ...deploy, image: "registry.example/web:3" }, argo);
  await flow.pass(600_000);
  const { putBack } = (await flow.status()) ?? {};

  expect([running(flow, refOf("a")), listMovedPaths(flow).length]).toEqual([["old"], 7]);
  expect(putBack).toMatchObject({
    workloads: 1,
    first: ["one:shop-a/Deployment/web"],
    insisting: [{ workload: "one:shop-a/Deployment/web", manager: "argocd-controller" }],
  });
  expect(putBack?.insists).toContain(
    "1 of them was put back a second time within a day, by argocd-controller: not moved again",
  );
  await flow.end();
});

test("a cluster with drift: report only reports, although the fleet converges", async () => {
  const flow = await openConverging(`${settings}clusters:\n  one: { drift: report }\n`);
  flow.model("one").ownerApply(refOf("a"), deploy);
  await flow.pass(600_000);
  const { putBack } = (await flow.status()) ?? {};
  const first = (await flow.runs()).find(
    ({ converge, outcome }) => converge === undefined && (outcome?.migrated ?? 0) > 0,
  );

  expect(listMovedPaths(flow)).toHaveLength(6);
  expect(putBack?.message).toBe(`1 workload was put back by their owners' deploys since run ${first?.id}`);
  expect(putBack?.command).toBe(`meshroll converge run/${first?.id} --reason "…"`);
  await flow.end();
});

test("a pause stops it, a failed workload stays failed, and a new namespace with the old label is moved", async () => {
  const flow = await openConverging();
  await flow.whenAsked({ verb: "stop", scope: "all" });
  flow.model("one").addDeployment({ ns: "shop-new", name: "web", replicas: 2, labels: onOld, readyMs: 5000 });
  flow.model("one").ownerApply(refOf("b"), deploy);
  flow.model("one").breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" });
  await flow.pass(300_000);
  const paused = listMovedPaths(flow).length;
  await flow.whenAsked({ verb: "resume", scope: "all" });
  await flow.pass(600_000);

  expect(paused).toBe(6);
  expect(running(flow, refOf("new"))).toEqual(["new"]);
  expect(running(flow, refOf("b"))).toEqual(["old"]);
  // The first run's move, the move that failed, and its undo.
  expect(listMovedPaths(flow).filter((path) => path.includes("shop-b"))).toHaveLength(3);
  await flow.end();
});

test("a workload that its owner's budget holds starts no run by itself", async () => {
  const flow = await openConverging();
  flow.model("one").addStatefulSet({ ns: "shop-new", name: "db", replicas: 2, labels: onOld, readyMs: 5000 });
  flow.model("one").addPdb({ ns: "shop-new", name: "db", matchLabels: { app: "db" }, minAvailable: 2 });
  await flow.pass(600_000);

  expect([(await flow.status())?.clusters[0]?.drift, await listConverging(flow)]).toEqual([1, []]);
  await flow.end();
});
