import { printRecordedStop } from "#libs/plan";
import { expect, test } from "vitest";

import { countOn, file, openShop, running, settingsOf, listMovedPaths } from "../shop.ts";

test("3.3 retry of a namespace that failed as a unit moves all of it", async () => {
  const flow = await openShop({
    names: ["z"],
    settings: settingsOf("batchSize: 1, readinessTimeout: 60s"),
    prepare: (model) => {
      model.addNamespace("unit", { labels: { "istio.io/rev": "old" } });
      for (const name of ["x", "y"]) model.addDeployment({ ns: "unit", name, replicas: 2, readyMs: 5000 });
    },
  });
  const y = { namespace: "unit", kind: "Deployment", name: "y" } as const;
  const fix = flow.model("one").breakWorkload(y, { how: "neverReady", whenRevision: "new" });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("it fails", async () => Object.values((await flow.ledger())?.stops ?? {}).length === 1);
  await flow.pass(120_000);
  const between = [running(flow, y), running(flow, { ...y, name: "x" })];
  fix();
  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  await flow.pass(5000);
  const runs = await flow.untilRunsEnd(1);
  expect([between, running(flow, y), running(flow, { ...y, name: "x" }), runs[0]?.outcome?.skipped]).toEqual([
    [["old"], ["old"]],
    ["new"],
    ["new"],
    [],
  ]);
  await flow.end();
});

test("1.7 a forced push while a rollback is in force stops everything, and a resume lets it continue", async () => {
  const flow = await openShop();
  const a = flow.whenMerged(file(50));
  await flow.untilRunsEnd(1);
  const b = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("something moves", () => countOn(flow, "new") > 3);
  await flow.whenAsked({ verb: "rollback", scope: `run/${b}`, now: true });
  await flow.pass(500);
  flow.remote.forceMain(a);
  await flow.pass(60_000);
  const before = listMovedPaths(flow).length;
  await flow.pass(60_000);
  const stopped = listMovedPaths(flow).length - before;
  await flow.whenAsked({ verb: "resume", scope: "all" });
  await flow.pass(120_000);
  const status = await flow.status();
  expect([
    stopped,
    (await flow.runs()).map(({ state }) => state),
    countOn(flow, "new"),
    status?.stops.map(({ scope }) => scope),
  ]).toEqual([0, ["done", "gone"], 4, []]);
});

test("7.3 a stop found in a cluster is never dated after the time it was found, so a clock that runs ahead has no effect", async () => {
  const flow = await openShop();
  const inAnHour = new Date(flow.clock.now() + 3_600_000).toISOString();
  const stop = { id: "ahead", scope: "all", strength: "move", at: inAnHour, who: "ana", why: "her laptop" } as const;
  flow.model("one").setConfigMap("meshroll-system", "meshroll-recorded-stops", { ahead: printRecordedStop(stop) });
  const read = async () => Object.values((await flow.ledger())?.stops ?? {})[0];
  await flow.until("it is recorded", async () => (await read()) !== undefined);

  const { at = inAnHour } = (await read()) ?? {};
  expect(Date.parse(at)).toBeLessThanOrEqual(flow.clock.now());
  await flow.end();
});
