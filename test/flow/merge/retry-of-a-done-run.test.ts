import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, listMovedPaths, openShop, refOf, running, settingsOf } from "../shop.ts";

const settings = settingsOf("batchSize: 2, readinessTimeout: 60s, failurePolicy: ContinueOnError");
const onOld = { "istio.io/rev": "old" };

/** A run that is done: `a` failed, `b` was put back by its owner's deploy, `c` by rollout undo, and `late` came with the old label. */
async function openDone(): Promise<{ readonly flow: FleetFlow; readonly id: string; readonly fix: () => void }> {
  const flow = await openShop({ settings });
  const fix = flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  const id = flow.whenMerged(file(100), settings).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.model("one").ownerApply(refOf("b"), { image: "registry.example/web:2", templateLabels: onOld });
  const ours = ["run", "previous", "arrived"].map((key) => [`meshroll.dev/${key}`, null]);
  const annotations = Object.fromEntries(ours) as Record<string, null>;
  flow.model("one").ownerApply(refOf("c"), { templateLabels: onOld, annotations }, { manager: "kubectl" });
  flow.model("one").addDeployment({ ns: "shop-late", name: "web", replicas: 2, labels: onOld, readyMs: 5000 });
  await flow.pass(60_000);
  return { flow, id, fix };
}

const where = (flow: FleetFlow) => ["a", "b", "c", "late"].map((name) => running(flow, refOf(name)).join());

test("a retry of a done run moves what failed in it, and nothing that its owners put back or that came later", async () => {
  const { flow, id, fix } = await openDone();
  const before = listMovedPaths(flow).length;
  fix();
  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  await flow.until("the failed one is there", () => running(flow, refOf("a")).join() === "new");
  await flow.pass(300_000);

  expect(where(flow)).toEqual(["new", "old", "old", "old"]);
  expect(listMovedPaths(flow).slice(before)).toEqual(["shop-a/deployments/web"]);
  expect((await flow.runs()).map(({ state }) => state)).toEqual(["done"]);
  await flow.whenAsked({ verb: "converge", scope: "all" });
  await flow.until("the others are there, too", () => where(flow).every((revision) => revision === "new"));
  await flow.end();
});

test("a converge that comes while a retried run is open moves what it lists, too", async () => {
  const { flow, id, fix } = await openDone();
  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  await flow.pass(5000);
  await flow.whenAsked({ verb: "converge", scope: "namespace/shop-c" });
  await flow.until("it is there", () => running(flow, refOf("c")).join() === "new");
  fix();
  await flow.pass(120_000);

  expect(where(flow).slice(1)).toEqual(["old", "new", "old"]);
  await flow.end();
});

test("a retry of a workload that did not fail says so, and names converge", async () => {
  const { flow, id } = await openDone();
  for (const name of ["b", "c"]) {
    const workloads = [`one:shop-${name}/Deployment/web`];
    await flow.whenAsked({ verb: "retry", scope: `run/${id}`, workloads, id: `retry-${name}` });
    await flow.pass(30_000);
  }
  const answers = Object.values((await flow.ledger())?.requests ?? {}).map(({ answer }) => answer);

  expect(answers).toEqual(
    ["b", "c"].map(
      (name) =>
        `nothing to retry: one:shop-${name}/Deployment/web did not fail in run ${id}; where it differs from main: ` +
        `meshroll converge one:shop-${name}/Deployment/web --reason "…"`,
    ),
  );
  expect(where(flow)).toEqual(["old", "old", "old", "old"]);
  await flow.end();
});
