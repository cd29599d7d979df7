import { createModel } from "#fakes/kube";
import { printRecordedStop } from "#libs/plan";
import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running, settingsOf, templateOf, written } from "../shop.ts";

test("2.4 rollback --now that stands in ConfigMaps alone stops, rolls nothing back, and is carried out when asked again", async () => {
  const flow = new FleetFlow();
  for (const name of ["one", "two"]) {
    const model = createModel({ clock: flow.clock, seed: name });
    model.addIstiod("old");
    model.addIstiod("new");
    for (const shop of ["a", "b", "c"])
      model.addDeployment({
        ns: `shop-${shop}`,
        name: "web",
        replicas: 2,
        labels: { "istio.io/rev": "old" },
        readyMs: 5000,
      });
    flow.givenCluster(name, model);
  }
  flow.whenMerged(file(0), settingsOf("batchSize: 2"));
  await flow.givenBaseline();
  for (const name of ["one", "two"]) flow.startExecutor("act", 0, [name]);
  await flow.startPlanner().pass(30_000);
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.pushesRefused = "no";
  await flow.killPlanner();
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.pass(3000);
  flow.bus.wipe();
  flow.queue.flush();
  await flow.killExecutor();
  for (const name of ["one", "two"]) flow.startExecutor("act", 0, [name]);
  flow.startPlanner();
  const onOld = (name: string) =>
    ["a", "b", "c"].every((shop) =>
      flow
        .model(name)
        .podsOf(refOf(shop))
        .every(({ revision }) => revision === "old"),
    );
  await flow.pass(120_000);
  const stops = ((await flow.status())?.stops ?? []).map((stop) => [stop.scope, stop.why.slice(0, 35)]);
  expect([stops, onOld("one"), onOld("two")]).toEqual([
    [
      [`run/${id}`, "a rollback was asked, ask again if "],
      [`run/${id}`, "a rollback was asked, ask again if "],
    ],
    false,
    false,
  ]);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("both are back", () => onOld("one") && onOld("two"), 300_000);
  flow.pushesRefused = undefined;
  await flow.pass(60_000);
  const recorded = Object.values((await flow.ledger())?.stops ?? {});
  const said = recorded.map(({ scope, cause, foundIn, now }) => [scope, cause, foundIn, now]);
  expect(said.toSorted(([, , a = "z"], [, , b = "z"]) => String(a).localeCompare(String(b)))).toEqual([
    [`run/${id}`, "cluster", "one", undefined],
    [`run/${id}`, "cluster", "two", undefined],
    [`run/${id}`, "rollback", undefined, true],
  ]);
  await flow.end();
});

test("3.3 retry of a namespace that failed as one moves all of it", async () => {
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

test("3.3 retry of one workload tries its namespace again where that failed as one", async () => {
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
  fix();
  await flow.whenAsked({ id: "again-1", verb: "retry", scope: `run/${id}`, workloads: ["one:unit/Deployment/y"] });
  await flow.pass(60_000);
  expect((await flow.ledger())?.requests["again-1"]?.answer).toContain("due again");
});

test("1.7 a forced push while a rollback is in force stops all, and the resume goes on", async () => {
  const flow = await openShop();
  const a = flow.whenMerged(file(50));
  await flow.untilRunsEnd(1);
  const b = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("something moves", () => countOn(flow, "new") > 3);
  await flow.whenAsked({ verb: "rollback", scope: `run/${b}`, now: true });
  await flow.pass(500);
  flow.remote.forceMain(a);
  await flow.pass(60_000);
  const before = written(flow).length;
  await flow.pass(60_000);
  const stopped = written(flow).length - before;
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

test("2.3 of a commit that raises one bucket and sets another back, a failure forward holds nothing back", async () => {
  const two = (all: number, a: number) =>
    `production:\n  old: ${100 - all}\n  new: ${all}\nshop-a:\n  old: ${100 - a}\n  new: ${a}\n`;
  const flow = await openShop({
    settings: settingsOf(
      "batchSize: 1, readinessTimeout: 60s",
      "  rollback: { batch: { batchSize: 1, delayBetweenBatches: 120s } }\n",
    ),
  });
  flow.whenMerged(two(0, 0));
  await flow.pass(30_000);
  flow.whenMerged(two(100, 0));
  await flow.until(
    "done",
    async () => (await flow.runs()).at(-1)?.state === "done" && (await flow.runs()).length === 2,
  );
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(two(0, 100));
  await flow.pass(1_500_000);
  expect([countOn(flow, "old"), (await flow.status())?.waitingFor]).toEqual([6, []]);
});

test("3.3 retry of what failed in a rollback", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 2, readinessTimeout: 60s") });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  const fix = flow.model("one").breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "old" });
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.pass(400_000);
  fix();
  await flow.whenAsked({ id: "again-1", verb: "retry", scope: `run/${id}` });
  await flow.pass(200_000);
  expect((await flow.ledger())?.requests["again-1"]?.answer).toContain("1 due again");
  expect([countOn(flow, "old")]).toEqual([6]);
});

test("7.3 a stop found in a cluster is never younger than the moment it was found: a clock that runs ahead beats none", async () => {
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
test("9.1 a rollback moves nothing in a cluster that answers as another one", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 2") });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  await flow.killExecutor();
  const other = createModel({ clock: flow.clock, seed: "other" });
  other.addIstiod("old");
  other.addIstiod("new");
  other.addDeployment({ ns: "shop-a", name: "web", replicas: 2, labels: { "istio.io/rev": "new" }, readyMs: 5000 });
  flow.givenCluster("one", other).startExecutor();
  await flow.pass(30_000);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.pass(60_000);
  expect([written(flow), Object.values((await flow.ledger())?.stops ?? {}).map(({ cause }) => cause)]).toEqual([
    [],
    ["otherCluster", "rollback"],
  ]);
});

test("4.4 a rollback whose record is slow to be pushed is not reverted before: each workload is restarted once", async () => {
  const flow = await openShop({ readyMs: 20_000 });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const before = written(flow).length;
  // Executors are told of main's new head before the rollback's run is recorded.
  flow.pushesRefused = "slow";
  flow.whenMerged(file(0));
  await flow.pass(25_000);
  const during = written(flow).length - before;
  flow.pushesRefused = undefined;
  await flow.untilRunsEnd(2);

  expect([during, written(flow).length - before, countOn(flow, "old")]).toEqual([0, 6, 6]);
  await flow.end();
});

test("2.3 what failed and is being put back while main returns too is not restarted once more", async () => {
  const labels = { "istio.io/rev": "old" };
  const slow = { replicas: 2, labels, readyMs: 30_000, maxSurge: 0, maxUnavailable: 2 };
  const flow = await openShop({
    names: [],
    settings: settingsOf("batchSize: 2, readinessTimeout: 60s"),
    prepare: (model) => model.addDeployment({ ns: "shop-a", name: "web", ...slow }),
  });
  const template = await templateOf(flow, refOf("a"));
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100));
  await flow.until("it failed and is being put back", () => written(flow).length === 2);

  flow.whenMerged(file(0));
  await flow.until("the rollback is through", async () => (await flow.runs())[1]?.state === "done");

  expect([written(flow).length, countOn(flow, "old", ["a"])]).toEqual([2, 1]);
  expect(await templateOf(flow, refOf("a"))).toEqual(template);
  await flow.end();
});
