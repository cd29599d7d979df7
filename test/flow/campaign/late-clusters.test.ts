import { createModel } from "#fakes/kube";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { openStages } from "./stage-bench.ts";
import { campaignOf } from "./stage-campaign.ts";

const minute = 60_000;
const names = ["a", "b", "c", "d", "e", "f"];
const stages =
  "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n" +
  "    - { name: all, set: { production: 100 }, autoMerge: { notice: 1m } }\n";

/** A cluster like the first one, whose executor starts now. */
function joinLate(flow: FleetFlow): void {
  const model = createModel({ clock: flow.clock, seed: "late" });
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  const labels = { "istio.io/rev": "old" };
  for (const name of names)
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 5000 });
  flow.givenCluster("late", model).startExecutor("act", 0, ["late"]);
}

const isOnNew = (flow: FleetFlow, cluster: string): boolean =>
  names.every((name) => {
    const pods = flow.model(cluster).podsOf({ namespace: `shop-${name}`, kind: "Deployment", name: "web" });
    return pods.every(({ revision }) => revision === "new");
  });

test("a cluster that joins after a stage ended does not hold the next stage, which moves all of it", async () => {
  const { flow, untilOpen } = await openStages(campaignOf("  defaults: { bake: 5m }\n", stages));
  await untilOpen("meshroll/shop/half");
  await flow.untilRunsEnd(1);
  joinLate(flow);
  await flow.untilRunsEnd(2);
  await flow.pass(minute);
  expect([isOnNew(flow, "one"), isOnNew(flow, "late")]).toEqual([true, true]);
  await flow.end();
});
