import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, refOf, running, settingsOf } from "../shop.ts";

const db = { namespace: "shop-db", kind: "StatefulSet", name: "db" } as const;
const quick = settingsOf("batchSize: 3, readinessTimeout: 60s, failurePolicy: ContinueOnError");
const onOld = { "istio.io/rev": "old" };

function addDb(model: KubeModel, podManagement: "OrderedReady" | "Parallel" = "Parallel"): void {
  model.addStatefulSet({ ns: "shop-db", name: "db", replicas: 3, labels: onOld, podManagement, readyMs: 5000 });
  model.breakWorkload(db, { how: "neverReady", whenRevision: "new" });
}

/** Revisions of the pods, in the pods' order; `bare`: no sidecar. */
function listPods(flow: FleetFlow, ref: WorkloadRef): readonly string[] {
  return flow
    .model("one")
    .podsOf(ref)
    .map(({ revision = "bare" }) => revision);
}

async function readProblems(flow: FleetFlow): Promise<readonly string[]> {
  return (await flow.status())?.clusters[0]?.problems ?? [];
}

/** The cluster's problems, without those that name unserved pods. */
async function readHeld(flow: FleetFlow): Promise<readonly string[]> {
  return (await readProblems(flow)).filter((problem) => !problem.includes("pods with its sidecar"));
}

/** `istioctl uninstall --revision old`; the returned function installs it again. */
function uninstallOld(flow: FleetFlow): () => void {
  const model = flow.model("one");
  model.setIstiod("old", "missing");
  model.removeWebhook("old");
  return () => model.addIstiod("old");
}

const missing = /^RevisionMissing: revision old has no injector webhook in one: .*the mesh operator: /;

test("1.1 an undo is carried out by itself once the previous revision is served again, and its hint follows what is served", async () => {
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
  // Annotated once: the pending undo keeps the failure and its time.
  const failures = flow.bus.messages.filter(({ subject }) => subject === "meshroll.v1.workload.v1.failed");
  expect(failures).toHaveLength(1);
  await flow.end();
});

const good = { namespace: "shop-unit", kind: "Deployment", name: "good" } as const;
const bad = { ...good, name: "bad" } as const;

test("1.1 a namespace whose label decides stays on the new revision meanwhile, and its healthy workloads are not restarted", async () => {
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
  // Once `old` is served again, the failed namespace is put back as a whole.
  expect([running(flow, good), running(flow, bad)]).toEqual([["old"], ["old"]]);
  await flow.end();
});

test("a workload that lost its sidecars without a move of ours is named with the command that brings them back", async () => {
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
