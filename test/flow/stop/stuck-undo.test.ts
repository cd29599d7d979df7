import type { ClusterFacts } from "#libs/fleet";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, makeShop, running } from "../shop.ts";

const ref = { namespace: "shop-db", kind: "StatefulSet", name: "db" } as const;

async function readProblems(flow: FleetFlow): Promise<readonly string[]> {
  const entry = await flow.bucket("inventory").get("one._");
  return (JSON.parse(entry?.value ?? "{}") as ClusterFacts).problems;
}

test("4.6 an OrderedReady StatefulSet that was put back and stays broken is named with the command that fixes it", async () => {
  const flow = await makeShop({
    names: ["a", "b"],
    settings: "defaults:\n  batch: { batchSize: 3, readinessTimeout: 1m, failurePolicy: ContinueOnError }\n",
    prepare(model) {
      const labels = { "istio.io/rev": "old" };
      const shape = { replicas: 3, labels, podManagement: "OrderedReady", readyMs: 5000 } as const;
      model.addStatefulSet({ ns: "shop-db", name: "db", ...shape });
      model.breakWorkload(ref, { how: "neverReady", whenRevision: "new" });
    },
  });
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  await flow.pass(60_000);
  const problems = await readProblems(flow);
  const stuck = running(flow, ref);
  flow.model("one").deletePods(ref);
  await flow.pass(60_000);

  expect(run?.outcome?.skipped.map(({ workload }) => workload)).toEqual(["shop-db/StatefulSet/db"]);
  expect(problems).toEqual([
    "shop-db/StatefulSet/db failed and was put back. Kubernetes replaces no pod of an OrderedReady StatefulSet while one " +
      "is not Ready, also when its template was put back: kubectl -n shop-db delete pod db-2",
  ]);
  expect(new Set(stuck)).toEqual(new Set(["new", "old"]));
  expect([running(flow, ref), await readProblems(flow)]).toEqual([["old"], []]);
  await flow.end();
});
