import { openFakeBus } from "#fakes/bus";
import type { RunRecord } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running, settingsOf, type ShopOptions, listMovedPaths } from "../shop.ts";

const onOld = { "istio.io/rev": "old" };

/** All six shops are on `new`; then the owners of some put `old` back by their own deploys. */
async function openOverwritten(names: readonly string[], options: ShopOptions = {}): Promise<FleetFlow> {
  const flow = await openShop(options);
  flow.whenMerged(file(100), options.settings ?? settingsOf("batchSize: 2"));
  await flow.untilRunsEnd(1);
  for (const name of names)
    flow.model("one").ownerApply(refOf(name), { image: "registry.example/web:2", templateLabels: onOld });
  await flow.pass(30_000);
  return flow;
}

function findConverging(runs: readonly RunRecord[]): RunRecord | undefined {
  return runs.find(({ converge }) => converge !== undefined);
}

async function driftOf(flow: FleetFlow): Promise<number | undefined> {
  return (await flow.status())?.clusters[0]?.drift;
}

test("what owners' deploys put back is drift, and a converge of all brings exactly that to what main says", async () => {
  const flow = await openOverwritten(["a", "b", "c"]);
  const before = [await driftOf(flow), countOn(flow, "old"), listMovedPaths(flow).length];
  await flow.whenAsked({ verb: "converge", scope: "all" });
  const run = findConverging(await flow.untilRunsEnd(2));

  expect(before).toEqual([3, 3, 6]);
  expect(run).toMatchObject({
    state: "done",
    author: "ana",
    converge: { scope: "all", cause: "verb" },
    retried: { "one:shop-a/Deployment/web": 1, "one:shop-b/Deployment/web": 1, "one:shop-c/Deployment/web": 1 },
    outcome: { migrated: 3, skipped: [] },
  });
  expect(listMovedPaths(flow).slice(6).toSorted()).toEqual(
    ["a", "b", "c"].map((name) => `shop-${name}/deployments/web`),
  );
  expect([countOn(flow, "new"), await driftOf(flow)]).toEqual([6, 0]);
  await flow.end();
});

test("a converge of one workload moves that one, and nothing else of its scope", async () => {
  const flow = await openOverwritten(["a", "b", "c"]);
  await flow.whenAsked({ verb: "converge", scope: "namespace/shop-b", workloads: ["one:shop-b/Deployment/web"] });
  await flow.untilRunsEnd(2);
  await flow.whenAsked({ verb: "converge", scope: "namespace/shop-c", workloads: ["two:shop-c/Deployment/web"] });
  await flow.pass(60_000);

  expect(listMovedPaths(flow).slice(6)).toEqual(["shop-b/deployments/web"]);
  expect(await driftOf(flow)).toBe(2);
  await flow.end();
});

test("a converge begins under a pause, moves nothing during it, and ends after it", async () => {
  const flow = await openOverwritten(["a", "b", "c"]);
  await flow.whenAsked({ verb: "stop", scope: "bucket/production" });
  await flow.pass(10_000);
  await flow.whenAsked({ verb: "converge", scope: "namespace/shop-b" });
  await flow.pass(120_000);
  const paused = [listMovedPaths(flow).length, findConverging(await flow.runs())?.state];
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  await flow.untilRunsEnd(2);

  expect(paused).toEqual([6, "open"]);
  expect(listMovedPaths(flow).slice(6)).toEqual(["shop-b/deployments/web"]);
  expect(await driftOf(flow)).toBe(2);
  await flow.end();
});

test("failed and pinned workloads, and those of an open run, do not converge; having nothing to converge is answered", async () => {
  const flow = await openShop();
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  const settings = settingsOf("batchSize: 2, failurePolicy: ContinueOnError, readinessTimeout: 60s");
  flow.whenMerged(file(100), settings);
  await flow.whenAsked({ verb: "converge", scope: "all" });
  await flow.untilRunsEnd(1);
  await flow.pass(60_000);
  await flow.whenAsked({ verb: "converge", scope: "all" });
  await flow.pass(60_000);

  expect(findConverging(await flow.runs())).toBeUndefined();
  expect(Object.values((await flow.ledger())?.requests ?? {}).map(({ outcome }) => outcome)).toEqual([
    "nothing",
    "nothing",
  ]);
  await flow.end();
});

test("one request counts once, however often it is read, and a later merge takes over what is left of the run", async () => {
  const flow = await openOverwritten(["a", "b", "c", "d"], { settings: settingsOf("batchSize: 1") });
  const id = "converge-1";
  await flow.whenAsked({ verb: "converge", scope: "all", id });
  await flow.until("the first is back", () => listMovedPaths(flow).length > 6);
  flow.whenMerged(file(0), settingsOf("batchSize: 1"));
  await flow.whenAsked({ verb: "converge", scope: "all", id });
  const runs = await flow.untilRunsEnd(3);

  expect(runs.filter(({ converge }) => converge !== undefined)).toHaveLength(1);
  expect(countOn(flow, "old")).toBe(6);
  await flow.end();
});

test("a namespace whose own label was put back converges as a unit", async () => {
  const labels = { "istio.io/rev": "old" };
  const flow = await openShop({
    names: ["a"],
    prepare(model) {
      model.addNamespace("unit", { labels });
      for (const name of ["web", "api"]) model.addDeployment({ ns: "unit", name, replicas: 1, readyMs: 5000 });
    },
  });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.model("one").ownerPatchNamespace("unit", { labels });
  await flow.pass(30_000);
  await flow.whenAsked({ verb: "converge", scope: "all" });
  const run = findConverging(await flow.untilRunsEnd(2));

  expect(run).toMatchObject({ state: "done", outcome: { skipped: [] } });
  expect(await driftOf(flow)).toBe(0);
  await flow.end();
});

test("people are told what owners' deploys put back, with names and the command, and again when it is over", async () => {
  const flow = await openOverwritten(["a", "b", "c"]);
  const told: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[] = [];
  const note = (_: string, body: string) => void told.push(JSON.parse(body) as (typeof told)[number]);
  await openFakeBus(flow.bus).listen("meshroll.v1.wait.>", note, new AbortController().signal);
  await flow.pass(60_000);
  const waiting = (await flow.status())?.waiting;
  await flow.whenAsked({ verb: "converge", scope: "all" });
  await flow.untilRunsEnd(2);
  await flow.pass(10_000);

  expect(waiting).toEqual([]);
  expect(told.map(({ type, data }) => [type, data["code"]])).toEqual([
    ["wait.v1.began", "OverwrittenByOwners"],
    ["wait.v1.ended", "OverwrittenByOwners"],
  ]);
  expect(told[0]?.data["message"]).toMatch(
    /^3 workloads were put back by their owners' deploys since run \w+: one:shop-a\/Deployment\/web, one:shop-b\/.*$/u,
  );
  expect(told[0]?.data["command"]).toMatch(/^meshroll converge run\/\w+ --reason/u);
  await flow.end();
});

test("a converge waits for its window, and stops for its own failures like any run", async () => {
  const windows = '  windows: [{ kind: allow, schedule: "0 9 1 1 *", duration: 1h, timeZone: UTC }]\n';
  const flow = await openOverwritten(["a", "b", "c"]);
  flow.whenMerged(file(100), settingsOf("batchSize: 1, readinessTimeout: 60s", windows));
  await flow.pass(10_000);
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  await flow.whenAsked({ verb: "converge", scope: "cluster/one" });
  await flow.pass(600_000);
  const closed = listMovedPaths(flow).length;
  flow.whenMerged(file(100), settingsOf("batchSize: 1, readinessTimeout: 60s"));
  await flow.pass(600_000);
  const stops = Object.values((await flow.ledger())?.stops ?? {}).map(({ cause }) => cause);

  expect(closed).toBe(6);
  expect(running(flow, refOf("a"))).toEqual(["old"]);
  expect(stops).toEqual(["failures"]);
  await flow.end();
});

test("an owner's manifest that takes the label away is named with its manager, and a converge brings the label back", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100), settingsOf("batchSize: 2"));
  await flow.untilRunsEnd(1);
  const change = { image: "registry.example/web:2", templateLabels: { "istio.io/rev": null } };
  flow.model("one").ownerApply(refOf("a"), change, { manager: "helm" });
  await flow.pass(30_000);
  const { putBack, clusters = [] } = (await flow.status()) ?? {};
  const bare = clusters[0]?.problems.filter((each) => each.startsWith("NoSidecar"));
  await flow.whenAsked({ verb: "converge", scope: "namespace/shop-a" });
  const run = findConverging(await flow.untilRunsEnd(2));

  expect(putBack).toMatchObject({ workloads: 1, managers: [{ manager: "helm" }] });
  expect(bare).toEqual([expect.stringContaining('meshroll converge one:shop-a/Deployment/web --reason "…"')]);
  expect(run).toMatchObject({ state: "done", outcome: { migrated: 1, skipped: [] } });
  expect(running(flow, refOf("a"))).toEqual(["new"]);
  await flow.end();
});
