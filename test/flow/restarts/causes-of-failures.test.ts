import type { KubeModel } from "#fakes/kube";
import { printText } from "#libs/wording";
import { expect, test } from "vitest";

import { file, openShop, refOf, settingsOf } from "../shop.ts";

const onward = settingsOf("batchSize: 6, readinessTimeout: 1m, failurePolicy: ContinueOnError");
const whenRevision = "new";
const unit = { namespace: "shop-unit", kind: "Deployment", name: "bad" } as const;

function breakFour(model: KubeModel): void {
  model.breakWorkload(refOf("a"), { how: "neverReady", says: "imagePull", whenRevision });
  model.breakWorkload(refOf("b"), { how: "crash", says: "oomKilled", whenRevision });
  model.breakWorkload(refOf("c"), { how: "neverReady", says: "unschedulable", whenRevision });
  model.addNamespace(unit.namespace, { labels: { "istio.io/rev": "old" } });
  model.addDeployment({ ns: unit.namespace, name: unit.name, replicas: 2, readyMs: 5_000 });
  model.breakWorkload(unit, { how: "neverReady", whenRevision });
}

const wanted = [
  "shop-a/Deployment/web  ReadinessTimeout: istio-proxy cannot pull docker.io/istio/proxyv2:new (ImagePullBackOff)",
  "shop-b/Deployment/web  ReadinessTimeout: web exited 137 (OOMKilled), 3 restarts",
  "shop-c/Deployment/web  ReadinessTimeout: 1 pod unschedulable: 0/20 nodes are available: 20 Insufficient cpu",
  "shop-unit/Deployment/bad  ReadinessTimeout (its namespace failed as one, with Deployment/bad): istio-proxy is not ready",
];

test("what the pods said when a move failed is in the status, and in the ledger when the pods and the annotation are gone", async () => {
  const flow = await openShop({ settings: onward, prepare: breakFour });
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  await flow.pass(10_000);

  const listStatus = async () =>
    ((await flow.status())?.failures?.items ?? [])
      .map(({ workload, message }) => `${workload.replace("one:", "")}  ${printText(message)}`)
      .toSorted();
  const listLedger = async () => {
    const [recorded] = await flow.runs();
    return (recorded?.outcome?.skipped ?? [])
      .map(({ workload, message }) => `${workload}  ${printText(message)}`)
      .toSorted();
  };
  expect(run?.state).toBe("done");
  expect(await listStatus()).toEqual(wanted);
  expect(await listLedger()).toEqual(wanted);

  const none = { annotations: { "meshroll.dev/failed": null } };
  flow.model("one").ownerApply(refOf("a"), none, { manager: "kubectl-annotate" });
  await flow.pass(10_000);
  expect(await listStatus()).toEqual(wanted.slice(1));
  expect(await listLedger()).toEqual(wanted);
  await flow.end();
});

const bare = [...["a", "b", "c"].map(() => "ReadinessTimeout"), "ReadinessTimeout (its namespace failed as one)"];

type Flow = Awaited<ReturnType<typeof openShop>>;

const obstacles: Readonly<Record<string, (flow: Flow) => void>> = {
  "pods that may not be listed": (flow) => {
    flow.faults.fails = ({ method }) => method === "readRollout";
  },
  "an API server that answers a list too late": (flow) => void flow.model("one").faults.delayAnswers(2_600),
};

/** The messages of what the run leaves skipped, where this obstacle comes before the first failure. */
async function playHindered(hinder: (flow: Flow) => void): Promise<readonly string[]> {
  const flow = await openShop({ settings: onward, prepare: breakFour });
  flow.whenMerged(file(100));
  await flow.pass(60_000);
  hinder(flow);
  const [run] = await flow.untilRunsEnd(1);
  expect(flow.model("one").templateOf(refOf("a")).labels["istio.io/rev"]).toBe("old");
  await flow.end();
  return (run?.outcome?.skipped ?? []).map(({ message }) => printText(message)).toSorted();
}

test.each(Object.entries(obstacles))("a failure is recorded and put back without its cause: %s", async (_, hinder) => {
  expect(await playHindered(hinder)).toEqual(bare);
});

test("where reading the pods takes longer than a snapshot may be old, the next reconcile records what was read", async () => {
  const hinder = (flow: Flow) => void flow.model("one").faults.delayAnswers(1_500);
  expect(await playHindered(hinder)).toEqual(wanted.map((line) => line.replace(/^\S+ {2}/u, "")).toSorted());
});
