import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, settingsOf } from "../shop.ts";

const db = { namespace: "shop-db", kind: "StatefulSet", name: "db" } as const;
const quick = settingsOf("batchSize: 3, readinessTimeout: 60s, failurePolicy: ContinueOnError");

function countBare(flow: FleetFlow): number {
  return flow
    .model("one")
    .podsOf(db)
    .filter(({ revision }) => revision === undefined).length;
}

test("1.1 the revision of before has no webhook any more: what failed stays as it is", async () => {
  const flow = await openShop({
    names: ["a"],
    settings: quick,
    prepare(model) {
      model.addStatefulSet({ ns: "shop-db", name: "db", replicas: 3, labels: { "istio.io/rev": "old" }, readyMs: 5000 });
      model.breakWorkload(db, { how: "neverReady", whenRevision: "new" });
    },
  });
  flow.model("one").removeWebhook("old");
  flow.whenMerged(file(100));
  await flow.pass(200_000);
  console.log(JSON.stringify(flow.model("one").podsOf(db)), JSON.stringify((await flow.status())?.clusters[0]?.problems));
  console.log(JSON.stringify((await flow.status())?.runs, undefined, 1));
  expect(countBare(flow)).toBe(0);
  await flow.end();
});
