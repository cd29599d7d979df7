import { expect, test } from "vitest";

import { countOn, file, openShop, refOf, running, settingsOf, templateOf, listMovedPaths } from "../shop.ts";

const quick = settingsOf("batchSize: 2");

/** All stops in the ledger, ended ones too. */
async function stops(flow: Awaited<ReturnType<typeof openShop>>) {
  const ledger = await flow.ledger();
  return Object.values(ledger?.stops ?? {})
    .map(({ scope, cause, resume }) => `${scope} ${cause}${resume === undefined ? "" : " resumed"}`)
    .toSorted();
}

test("2.2 under a rollback's hold a forward change waits, with a named cause, until a person ends the hold", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);
  const before = listMovedPaths(flow).length;

  flow.whenMerged(file(50));
  await flow.pass(900_000);
  const during = listMovedPaths(flow).length;
  const waiting = (await flow.status())?.waiting.map(({ code, command }) => `${code}: ${command}`);
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  const runs = await flow.untilRunsEnd(3);

  expect([during - before, waiting]).toEqual([0, ['Stopped: meshroll unhold bucket/production --reason "…"']]);
  expect(runs.at(-1)?.changes).toMatchObject([{ direction: "forward" }]);
  expect(listMovedPaths(flow).length).toBeGreaterThan(during);
  await flow.end();
});

test("2.3 a rollback midway undoes rolling workloads at once and the others by rollback.batch, without a new template", async () => {
  const flow = await openShop({ readyMs: 60_000 });
  const before = await templateOf(flow, refOf("a"));
  flow.whenMerged(file(100));
  await flow.until(
    "one batch is through, the next rolls",
    () => countOn(flow, "new") === 2 && listMovedPaths(flow).length === 4,
  );

  flow.whenMerged(file(0));
  await flow.until("what rolled is rolled back", () => listMovedPaths(flow).length === 6, 5000);
  const runs = await flow.untilRunsEnd(2);

  expect([countOn(flow, "old"), listMovedPaths(flow).length]).toEqual([6, 8]);
  expect(await templateOf(flow, refOf("a"))).toEqual(before);
  expect(runs.map(({ state, outcome }) => [state, outcome?.skipped.length])).toEqual([
    ["done", 0],
    ["done", 0],
  ]);
  await flow.end();
});

test("2.4 rollback --now undoes a run before main is rolled back, and nothing moves its workloads forward meanwhile", async () => {
  const flow = await openShop();
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("something moves", () => listMovedPaths(flow).length === 2);

  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old") === 6 && listMovedPaths(flow).length === 4, 60_000);
  await flow.pass(900_000);

  expect([listMovedPaths(flow).length, (await flow.runs()).map(({ state }) => state)]).toEqual([4, ["open"]]);
  expect(await stops(flow)).toEqual([`run/${id} rollback`]);

  flow.whenMerged(file(0));
  const runs = await flow.untilRunsEnd(2);
  expect(runs.map(({ state }) => state)).toEqual(["done", "done"]);
  expect(await stops(flow)).toEqual(["bucket/production rolledBack", `run/${id} rollback resumed`]);
  expect(listMovedPaths(flow)).toHaveLength(4);
  await flow.end();
});

test("2.4 rollback --now of an ended run works while main does not parse", async () => {
  const flow = await openShop();
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged("production: [\n");
  await flow.pass(30_000);

  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old") === 6);

  expect((await flow.status())?.waiting.map(({ code }) => code)).toContain("MainUnparsable");
  await flow.end();
});

test("2.2 rollback without --now stops the run at once and waits for main", async () => {
  const flow = await openShop();
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("something moves", () => listMovedPaths(flow).length === 2);

  await flow.whenAsked({ verb: "rollback", scope: `run/${id}` });
  await flow.pass(900_000);
  const during = [listMovedPaths(flow).length, countOn(flow, "new")];
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);

  expect(during).toEqual([2, 2]);
  expect([countOn(flow, "old"), await stops(flow)]).toEqual([
    6,
    ["bucket/production rolledBack", `run/${id} rollback resumed`],
  ]);
  await flow.end();
});

test("2.3 a pause of everything does not hold a rollback, kubectl's stop does", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  await flow.whenAsked({ verb: "stop", scope: "all" });
  flow.model("one").setConfigMap("meshroll-system", "meshroll-stop", {});
  await flow.pass(5000);
  flow.whenMerged(file(0));
  await flow.pass(300_000);
  const during = countOn(flow, "new");
  flow.model("one").deleteConfigMap("meshroll-system", "meshroll-stop");
  const runs = await flow.untilRunsEnd(2);

  expect([during, countOn(flow, "old"), runs.at(-1)?.state]).toEqual([6, 6, "done"]);
  await flow.end();
});

test("2.3 failures of a rollback do not stop it and are not reverted, and an earlier failure annotation does not stop it", async () => {
  const flow = await openShop({ settings: quick });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.model("one").breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "old" });

  flow.whenMerged(file(0));
  const runs = await flow.untilRunsEnd(2);

  const skipped = runs.at(-1)?.outcome?.skipped.map(({ workload, code }) => `${workload} ${code}`);
  expect(skipped).toEqual(["shop-b/Deployment/web ReadinessTimeout"]);
  expect(await stops(flow)).toEqual(["bucket/production rolledBack"]);
  expect([countOn(flow, "old"), running(flow, refOf("b"))]).toEqual([5, ["new", "old"]]);
  await flow.end();
});

test("3.3 retry: failed workloads get one more attempt, and the run's stop for failures ends", async () => {
  const flow = await openShop();
  const fix = flow.model("one").breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("it fails", async () => (await stops(flow)).includes(`run/${id} failures`));
  await flow.pass(60_000);
  fix();

  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  const runs = await flow.untilRunsEnd(1);

  expect(runs.map(({ state, outcome }) => [state, outcome?.migrated, outcome?.skipped.length])).toEqual([
    ["done", 6, 0],
  ]);
  expect([countOn(flow, "new"), await stops(flow)]).toEqual([6, [`run/${id} failures resumed`]]);
  await flow.end();
});
