import type { KubeModel } from "#fakes/kube";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, refOf, settingsOf } from "../shop.ts";

/** Reasons of the Events on a shop's Deployment, in order. */
function reasonsOf(flow: FleetFlow, name: string): readonly string[] {
  return flow
    .model("one")
    .eventsOf(refOf(name))
    .map(({ reason }) => reason);
}

function notesOf(flow: FleetFlow, name: string): readonly string[] {
  return flow
    .model("one")
    .eventsOf(refOf(name))
    .map(({ note }) => note);
}

const breakB = (model: KubeModel) => void model.breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" });
const pinC = (model: KubeModel) =>
  model.ownerApply(refOf("c"), { annotations: { "meshroll.dev/pin": "old" } }, { manager: "kubectl" });
const onward = settingsOf("batchSize: 6, readinessTimeout: 1m, failurePolicy: ContinueOnError");

test("a run writes Events on each workload that say what became of it, with the next command", async () => {
  const prepare = (model: KubeModel) => {
    breakB(model);
    pinC(model);
  };
  const flow = await openShop({ settings: onward, prepare });
  const commit = flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  await flow.pass(5_000);

  expect(reasonsOf(flow, "a")).toEqual(["RevisionMigrating", "RevisionMigrated"]);
  expect(reasonsOf(flow, "b")).toEqual(["RevisionMigrating", "RevisionMigrationFailed"]);
  expect(reasonsOf(flow, "c")).toEqual(["RevisionMigrationSkipped"]);
  const who = `run ${run?.id} (commit ${commit})`;
  expect(notesOf(flow, "a")).toEqual([
    `${who} moves it from old to new, by its own update strategy. Progress: meshroll status`,
    `${who} moved it: all pods run new, before old. Roll back: meshroll rollback run/${run?.id} --reason "…"`,
  ]);
  expect(notesOf(flow, "b")[1]).toBe(
    `${who} could not move it from old to new: ReadinessTimeout: istio-proxy is not ready; its previous pod template was put back. ` +
      `Try again: meshroll retry run/${run?.id} --reason "…"`,
  );
  expect(notesOf(flow, "c")[0]).toMatch(
    /does not move it from old to new \(Pinned\): .* Details: meshroll explain shop-c$/u,
  );
  await flow.end();
});

test("a workload whose budget is waited for in vain gets one Event that says so, while the run bakes", async () => {
  const prepare = (model: KubeModel) => {
    const spec = { maxSurge: 0, maxUnavailable: 1 };
    model.addDeployment({ ns: "guarded", name: "web", replicas: 2, labels: { "istio.io/rev": "old" }, ...spec });
    model.addPdb({ ns: "guarded", name: "web", matchLabels: { app: "web" }, minAvailable: 2 });
  };
  const settings = settingsOf("batchSize: 6, readinessTimeout: 1m, failurePolicy: ContinueOnError", "  bake: 5m\n");
  const flow = await openShop({ settings, prepare });
  flow.whenMerged(file(100));
  const read = () => flow.model("one").eventsOf({ namespace: "guarded", kind: "Deployment", name: "web" });

  await flow.pass(45_000);
  const early = read();
  await flow.pass(60_000);

  expect(early).toEqual([]);
  expect(read().map(({ reason }) => reason)).toEqual(["RevisionMigrationSkipped"]);
  expect(read()[0]?.note).toMatch(/\(BudgetAllowsNothing\): .* Details: meshroll explain guarded$/u);
  await flow.end();
});

test("an executor that is killed every few seconds writes no Event twice", async () => {
  const flow = await openShop({ settings: onward, prepare: breakB, readyMs: 2_000 });
  flow.whenMerged(file(100));
  const isOver = async () => (await flow.runs()).some(({ state }) => state !== "open");
  while (!(await isOver())) {
    await flow.pass(7_000);
    await flow.killExecutor();
    flow.startExecutor();
  }
  await flow.pass(30_000);

  expect(reasonsOf(flow, "a")).toEqual(["RevisionMigrating", "RevisionMigrated"]);
  expect(reasonsOf(flow, "b")).toEqual(["RevisionMigrating", "RevisionMigrationFailed"]);
  await flow.end();
});
