import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, running, settingsOf, listMovedPaths } from "../shop.ts";

async function describeStops(flow: FleetFlow): Promise<readonly string[]> {
  return Object.values((await flow.ledger())?.stops ?? {})
    .map(({ scope, cause, resume }) => `${scope} ${cause}${resume === undefined ? "" : " resumed"}`)
    .toSorted();
}

test("2.4 of two rollbacks the one with the oldest target wins, and both are over when main says it", async () => {
  const flow = await openShop();
  const first = flow.whenMerged(file(50)).slice(0, 12);
  await flow.untilRunsEnd(1);
  const second = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(2);
  await flow.whenAsked({ verb: "rollback", scope: `run/${second}`, now: true });
  await flow.pass(1000);
  await flow.whenAsked({ verb: "rollback", scope: `run/${first}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old") === 6);

  flow.whenMerged(file(0));
  await flow.untilRunsEnd(3);
  await flow.pass(120_000);

  expect(countOn(flow, "old")).toBe(6);
  expect(await describeStops(flow)).toEqual(
    ["bucket/production rolledBack", `run/${first} rollback resumed`, `run/${second} rollback resumed`].toSorted(),
  );
  await flow.end();
});

test("5.2 a namespace relabelled back midway: workloads that were not restarted yet count as arrived and block no others", async () => {
  const flow = await openShop({
    names: ["z"],
    settings: settingsOf("batchSize: 1", "  rollback: { batch: { batchSize: 1, delayBetweenBatches: 30s } }\n"),
    prepare: (model) => {
      model.addNamespace("unit", { labels: { "istio.io/rev": "old" } });
      for (const name of ["x", "y"]) model.addDeployment({ ns: "unit", name, replicas: 2, readyMs: 5000 });
    },
  });
  const revisionsOf = (name: string) =>
    flow
      .model("one")
      .podsOf({ namespace: "unit", kind: "Deployment", name })
      .map(({ revision }) => revision)
      .join();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.until("one of the two is back", () => revisionsOf("x") === "old,old" && revisionsOf("y") === "new,new");

  flow.whenMerged(file(100));
  await flow.pass(15_000);
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  const runs = await flow.untilRunsEnd(3);

  expect(runs.map(({ state, outcome }) => [state, outcome?.skipped])).toEqual([
    ["done", []],
    ["done", []],
    ["done", []],
  ]);
  expect([revisionsOf("x"), revisionsOf("y")]).toEqual(["new,new", "new,new"]);
  await flow.end();
});

test("4.4 workloads that a rollback put back move forward again when a person ends it, but not under a stop", async () => {
  const flow = await openShop();
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old") === 6);
  await flow.whenAsked({ verb: "stop", scope: "bucket/production" });
  await flow.pass(1000);

  await flow.whenAsked({ verb: "resume", scope: `run/${id}` });
  await flow.pass(120_000);
  const during = countOn(flow, "old");
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  await flow.until("all are where main wants them", () => countOn(flow, "new") === 6);

  expect(during).toBe(6);
  await flow.end();
});

// Walk 5000610: an owner's deploy in a namespace that was just relabelled moves pods away from our last write's revision,
// and is still no write of ours.
test("3.3 an owner's deploy in a namespace that was just relabelled is the owner's, and is not overwritten", async () => {
  const units = ["x", "y"].map((name) => ({ namespace: "unit", kind: "Deployment" as const, name }));
  const flow = await openShop({
    names: [],
    settings: settingsOf("batchSize: 1", "  rollback: { batch: { batchSize: 2, delayBetweenBatches: 1s } }\n"),
    prepare: (model) => {
      model.addNamespace("unit", { labels: { "istio.io/rev": "old" } });
      for (const { name } of units) model.addDeployment({ ns: "unit", name, replicas: 2, readyMs: 4000 });
    },
  });
  const tell = (ref: (typeof units)[number]) => running(flow, ref).join();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  flow.whenMerged(file(100));
  await flow.until("the first is through", () => units.some((ref) => tell(ref) === "new"));
  const other = units.find((ref) => tell(ref) === "old");
  if (other === undefined) throw new Error("the second one moved already");
  flow.model("one").ownerApply(other, { templateAnnotations: { deployed: "once" } });
  const before = listMovedPaths(flow).length;
  await flow.untilRunsEnd(3);
  await flow.pass(30_000);

  expect([listMovedPaths(flow).length - before, ...units.map(tell)]).toEqual([0, "new", "new"]);
  await flow.end();
});
