import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, lateMove, makeShop, openShop, refOf, running, settingsOf, writeLate, listMovedPaths } from "../shop.ts";

/** Violations by the late write, which the auditor cannot attribute to an executor that was away. */
const lateInA = [
  /^demanded: one .*shop-a.*moved to new while main/,
  // The rollback's hold is in force by then, and the late patch is forward.
  /^stoppedStands: one .*shop-a.*moved forward under the stop rollback-/,
  /^rollbackHolds: one .*shop-a.*moved forward after the rollback/,
];

/** One run moved every workload to `new`, the next one back; both are over. Returns the first one's id. */
async function moveThereAndBack(flow: FleetFlow): Promise<string> {
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);
  return id;
}

test("4.4 a late patch of an executor that was away is reverted even though its run is done", async () => {
  const flow = await openShop({ names: ["a", "b"] });
  const id = await moveThereAndBack(flow);

  const outcome = await writeLate(flow, refOf("a"), lateMove(id));
  await flow.pass(60_000);

  expect([outcome, running(flow, refOf("a"))]).toEqual(["written", ["old"]]);
  expect((await flow.status())?.clusters[0]?.drift).toBe(0);
  expect(flow.bus.messages.map(({ subject }) => subject)).toContain("meshroll.v1.workload.v1.reverted");
  await flow.end(lateInA);
});

test("4.6 after a kill between a namespace's failure annotation and its workloads' undo, the next executor finishes the undo", async () => {
  const names = ["a", "b", "c"];
  const settings = settingsOf("batchSize: 3, failurePolicy: ContinueOnError, readinessTimeout: 60s");
  const flow = await makeShop({
    names: [],
    settings,
    prepare(model) {
      model.addNamespace("unit", { labels: { "istio.io/rev": "old" } });
      for (const name of names) model.addDeployment({ ns: "unit", name, replicas: 2, readyMs: 5000 });
    },
  });
  const model = flow.model("one");
  const refs = names.map((name) => ({ namespace: "unit", kind: "Deployment", name }) as const);
  model.breakWorkload(refs[2] ?? refOf(""), { how: "neverReady", whenRevision: "new" });
  await flow.startExecutor().startPlanner().pass(30_000);
  let marked = 0;
  model.onWrite(({ path, body }) => {
    const isMark = path.endsWith("/namespaces/unit") && JSON.stringify(body).includes("meshroll.dev/failed");
    // The writes after the annotation fail, as if the process was killed there.
    if (isMark && marked++ === 0) model.faults.conflictNext(1000);
  });

  flow.whenMerged(file(100), settings);
  await flow.until("the namespace is marked", () => marked > 0);
  const left = running(flow, refs[0] ?? refOf(""));
  await flow.killExecutor();
  model.faults.conflictNext(-1000);
  flow.startExecutor();
  await flow.untilRunsEnd(1);
  await flow.pass(120_000);

  expect(left).toEqual(["new"]);
  expect(refs.map((ref) => running(flow, ref).join())).toEqual(["old", "old", "old"]);
  for (const ref of refs) expect(model.replicaSetsOf(ref), ref.name).toHaveLength(2);
  await flow.end();
});

test("5.5 a label that its owner puts back counts as overwritten: skipped, named, not written again by any run", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 2") });
  const model = flow.model("one");
  const owner = { manager: "helm", operation: "Apply" } as const;
  model.onWrite(({ fieldManager, path }) => {
    if (fieldManager !== "meshroll" || !path.includes("shop-b")) return;
    queueMicrotask(() => model.ownerApply(refOf("b"), { templateLabels: { "istio.io/rev": "old" } }, owner));
  });

  flow.whenMerged(file(100));
  const first = await flow.untilRunsEnd(1);
  // Another commit that demands the same revision.
  flow.whenMerged(`${file(100)}shop-x: { new: 100 }\n`);
  await flow.untilRunsEnd(2);
  await flow.pass(120_000);

  const skipped = first[0]?.outcome?.skipped ?? [];
  expect(skipped.map(({ workload }) => workload)).toEqual(["shop-b/Deployment/web"]);
  expect(skipped[0]?.message).toMatch(/^Overwritten by helm: .*istio\.io~1rev.*what stops that: in Helm: .*$/);
  expect(first[0]?.outcome?.migrated).toBe(5);
  expect(Object.keys((await flow.status())?.stops ?? {})).toEqual([]);
  expect(listMovedPaths(flow).filter((path) => path.includes("shop-b"))).toHaveLength(1);
  await flow.end();
});
