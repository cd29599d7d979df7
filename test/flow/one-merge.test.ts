import { createModel } from "#fakes/kube";
import { expect, test } from "vitest";

import { FleetFlow } from "./fleet-flow.ts";

const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 10s }\n";

/** Six workloads in six namespaces, all on `old`, in one cluster with both revisions. */
function makeFlow(): FleetFlow {
  const flow = new FleetFlow();
  const model = createModel({ clock: flow.clock });
  model.addIstiod("old");
  model.addIstiod("new");
  for (const name of ["a", "b", "c", "d", "e", "f"]) {
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels: { "istio.io/rev": "old" }, readyMs: 5000 });
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

test("one merge moves a cluster, in batches, until the file says what runs", async () => {
  const flow = makeFlow();
  flow.whenMerged(file(0), settings);
  await flow.givenBaseline();
  flow.startExecutor().startPlanner();
  await flow.pass(60_000);
  expect(flow.model("one").writes).toEqual([]);

  const commit = flow.whenMerged(file(100), settings);
  const runs = await flow.untilRunsEnd(1);

  expect(runs.map((run) => [run.id, run.state, run.outcome?.arrived])).toEqual([[commit.slice(0, 12), "done", 6]]);
  for (const [namespace, revisions] of Object.entries(revisionsOf(flow))) expect(revisions, namespace).toEqual(["new"]);
  expect(flow.model("one").writes).toHaveLength(6);
  await flow.end();
});
