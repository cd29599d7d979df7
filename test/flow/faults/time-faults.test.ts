import { compileSpec } from "#libs/plan";
import type { Clock } from "#libs/runtime";
import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import {
  countOn,
  countRolling,
  file,
  makeShop,
  openShop,
  refOf,
  settingsOf,
  templateOf,
  listMovedPaths,
} from "../shop.ts";

const minute = 60_000;
const shops = ["a", "b", "c", "d", "e", "f"];

/** A clock whose wall time is off by `byMs`, or by what `set` last said; it measures durations correctly. */
function skew(clock: Clock, byMs: number): Clock & { set(ms: number): void } {
  let wrong = byMs;
  return { ...clock, now: () => clock.now() + wrong, set: (ms) => void (wrong = ms) };
}

/** A clock that runs `rate` times as fast as the others', also while it sleeps. */
function rush(clock: Clock, rate: number): Clock {
  const began = clock.now();
  return {
    now: () => began + (clock.now() - began) * rate,
    elapsed: () => clock.elapsed() * rate,
    monotonic: () => clock.monotonic() * rate,
    sleep: async (ms, signal) => clock.sleep(ms / rate, signal),
    sleepReal: async (ms, signal) => clock.sleepReal(ms / rate, signal),
  };
}

/** Expects that all workloads arrived, each by one write, and none failed. */
async function expectEverythingOnce(flow: FleetFlow): Promise<void> {
  const runs = await flow.untilRunsEnd(1);
  expect(runs.map(({ state, outcome }) => [state, outcome?.migrated, outcome?.skipped])).toEqual([["done", 6, []]]);
  expect([listMovedPaths(flow).length, new Set(listMovedPaths(flow)).size, countOn(flow, "new")]).toEqual([6, 6, 6]);
  await flow.end();
}

describe("clocks that are wrong", () => {
  for (const [planner, executor] of [
    [10 * minute, -10 * minute],
    [-10 * minute, 10 * minute],
  ] as const) {
    test(`12.1 T1 the planner's by ${planner / minute} min, the executor's by ${executor / minute}: all arrive once`, async () => {
      const flow = await makeShop({ readyMs: 20_000, settings: settingsOf("batchSize: 2, readinessTimeout: 1m") });
      flow.startExecutor("act", 0, undefined, skew(flow.clock, executor)).startPlanner(skew(flow.clock, planner));
      await flow.pass(30_000);
      flow.whenMerged(file(100));
      await expectEverythingOnce(flow);
    });
  }

  test("12.1 T1 both clocks go back an hour in the middle of a batch: it continues, and nothing is done twice", async () => {
    const flow = await makeShop({ readyMs: 20_000, settings: settingsOf("batchSize: 2, readinessTimeout: 1m") });
    const clocks = [skew(flow.clock, 0), skew(flow.clock, 0)] as const;
    flow.startExecutor("act", 0, undefined, clocks[0]).startPlanner(clocks[1]);
    await flow.pass(30_000);
    flow.whenMerged(file(100));
    await flow.until("a batch moves", () => listMovedPaths(flow).length === 2);
    for (const clock of clocks) clock.set(-60 * minute);
    await expectEverythingOnce(flow);
  });

  test("12.1 T1 the planner's clock goes back an hour between two batches: the delay does not get an hour longer", async () => {
    const flow = await makeShop();
    const wrong = skew(flow.clock, 0);
    await flow.startExecutor().startPlanner(wrong).pass(30_000);
    flow.whenMerged(file(100));
    await flow.until("a batch is through", async () => countOn(flow, "new") === 2 && (await flow.job()) === undefined);
    wrong.set(-60 * minute);
    await flow.until("the next one moves", () => listMovedPaths(flow).length === 4, 20_000);
    await expectEverythingOnce(flow);
  });

  for (const who of ["planner", "executor"] as const) {
    test(`12.1 T1 the ${who}'s clock goes an hour forward in the middle of a batch: no healthy rollout fails`, async () => {
      const flow = await makeShop({ readyMs: 20_000, settings: settingsOf("batchSize: 2, readinessTimeout: 1m") });
      const wrong = skew(flow.clock, 0);
      flow.startExecutor("act", 0, undefined, who === "executor" ? wrong : flow.clock);
      flow.startPlanner(who === "planner" ? wrong : flow.clock);
      await flow.pass(30_000);
      flow.whenMerged(file(100));
      await flow.until("a batch moves", () => listMovedPaths(flow).length === 2);
      await flow.pass(5_000);
      wrong.set(60 * minute);
      await expectEverythingOnce(flow);
    });
  }

  test("7.2 T1 the executor's clock goes back an hour without a planner: old control does not become fresh again", async () => {
    const flow = await makeShop({ settings: settingsOf("batchSize: 6") });
    const wrong = skew(flow.clock, 0);
    flow.startExecutor("act", 0, undefined, wrong).startPlanner();
    await flow.pass(30_000);
    // The API server is slow, so that the batch in hand takes longer than control stays fresh.
    const fix = flow.model("one").faults.delayAnswers(12_000);
    flow.whenMerged(file(100));
    await flow.until("the first is written", () => listMovedPaths(flow).length === 1);
    await flow.killPlanner();
    wrong.set(-60 * minute);
    await flow.pass(45_000);
    const before = listMovedPaths(flow).length;
    await flow.pass(10 * minute);
    expect([before < 6, listMovedPaths(flow).length]).toEqual([true, before]);
    fix();
    flow.startPlanner();
    await expectEverythingOnce(flow);
  });

  test("12.1 T1 an executor whose clock runs twice as fast moves workloads only with fresh control", async () => {
    const flow = await makeShop();
    flow.startExecutor("act", 0, undefined, rush(flow.clock, 2)).startPlanner();
    await flow.pass(30_000);
    flow.whenMerged(file(100));
    await flow.until("a batch moves", () => listMovedPaths(flow).length >= 2, 60_000);
    await flow.killPlanner();
    await flow.pass(31_000);
    const before = listMovedPaths(flow).length;
    await flow.pass(10 * minute);
    expect(listMovedPaths(flow)).toHaveLength(before);
    flow.startPlanner();
    await expectEverythingOnce(flow);
  });
});

/** How many of the six shops this percentage gives to `new`. */
function countByFile(percent: number): number {
  const compiled = compileSpec("x", file(percent), undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const { resolver } = compiled.spec;
  return shops.filter((name) => resolver.resolve(`shop-${name}`).revision === "new").length;
}

test("4.1 T2 two planners and three executors that each believe to be the only one, for ten minutes: effects as with one", async () => {
  const flow = await makeShop({ readyMs: 20_000 });
  for (const lag of [0, 500, 3_000]) flow.startExecutor("act", lag);
  flow.startPlanner().startPlanner();
  await flow.pass(30_000);
  flow.whenMerged(file(50));
  await flow.untilRunsEnd(1);
  const half = listMovedPaths(flow).length;
  flow.whenMerged(file(100));
  const runs = await flow.untilRunsEnd(2);
  await flow.pass(10 * minute);

  expect([half, listMovedPaths(flow).length, new Set(listMovedPaths(flow)).size]).toEqual([countByFile(50), 6, 6]);
  expect(runs.map(({ state }) => state)).toEqual(["done", "done"]);
  expect(await flow.runs()).toHaveLength(2);
  await flow.end();
});

test("1.3 T10 the next revision is merged midway: each workload not yet moved goes to it directly", async () => {
  const flow = await openShop({ readyMs: 20_000, prepare: (model) => model.addIstiod("newer") });
  flow.whenMerged(file(100));
  await flow.until("two are there, two roll", () => countOn(flow, "new") === 2 && listMovedPaths(flow).length === 4);

  flow.whenMerged("production:\n  old: 0\n  new: 0\n  newer: 100\n");
  let most = 0;
  await flow.until("all are there", () => {
    most = Math.max(most, countRolling(flow));
    return countOn(flow, "newer") === 6;
  });
  const runs = await flow.untilRunsEnd(2);

  // Four had begun to move to the earlier revision; the other two were never written for it.
  const perShop = shops.map((name) => listMovedPaths(flow).filter((path) => path.startsWith(`shop-${name}/`)).length);
  const once = perShop.filter((count) => count === 1).length;
  const twice = perShop.filter((count) => count === 2).length;
  expect([once, twice, most, runs.map(({ state }) => state)]).toEqual([2, 4, 2, ["done", "done"]]);
  await flow.end();
});

describe("a rollback in the middle of something else brings each workload back to exactly what it was", () => {
  /** Each resolves at the moment at which the run's rollback is requested. */
  const moments: Readonly<Record<string, (flow: FleetFlow, id: string) => Promise<void>>> = {
    "while a batch rolls": async (flow) => flow.until("two roll", () => listMovedPaths(flow).length === 2),
    "between two batches": async (flow) => flow.until("two are there", () => countOn(flow, "new") === 2),
    "after all arrived": async (flow) => flow.until("all are there", () => countOn(flow, "new") === 6),
    "after a part of it failed": async (flow) => {
      flow.model("one").breakWorkload(refOf("c"), { how: "neverReady", whenRevision: "new" });
      await flow.until(
        "one was put back",
        () => listMovedPaths(flow).filter((path) => path.startsWith("shop-c/")).length === 2,
      );
    },
    "while a rollback of the same run is under way": async (flow, id) => {
      await flow.until("four were moved", () => listMovedPaths(flow).length === 4);
      await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
      await flow.pass(3_000);
    },
  };
  for (const [when, reach] of Object.entries(moments)) {
    test(`2.4 T7 ${when}`, async () => {
      const flow = await openShop({ readyMs: 20_000, settings: settingsOf("batchSize: 2, readinessTimeout: 1m") });
      const before = await Promise.all(shops.map(async (name) => templateOf(flow, refOf(name))));
      const id = flow.whenMerged(file(100)).slice(0, 12);
      await reach(flow, id);

      await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
      // The first pods of a batch that was patched just now do not exist yet.
      await flow.pass(5_000);
      await flow.until("all are back", () => countOn(flow, "old") === 6 && countRolling(flow) === 0);
      const back = listMovedPaths(flow).length;
      await flow.pass(10 * minute);

      expect(await Promise.all(shops.map(async (name) => templateOf(flow, refOf(name))))).toEqual(before);
      // From then on nothing moves forward and nothing is written again.
      expect(listMovedPaths(flow)).toHaveLength(back);
      for (const name of shops) expect(flow.model("one").replicaSetsOf(refOf(name)).length).toBeLessThanOrEqual(2);
      await flow.end();
    });
  }

  test("2.4 T7 an owner's later deploy stays: only the label is put back", async () => {
    const flow = await openShop({ readyMs: 20_000 });
    const id = flow.whenMerged(file(100)).slice(0, 12);
    await flow.untilRunsEnd(1);
    flow.model("one").ownerApply(refOf("a"), { image: "registry.example/web:2", replicas: 3 });
    await flow.pass(minute);

    await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
    await flow.until("all are back", () => countOn(flow, "old") === 6);
    await flow.pass(10 * minute);

    expect(flow.model("one").templateOf(refOf("a"))).toMatchObject({
      image: "registry.example/web:2",
      labels: { "istio.io/rev": "old" },
    });
    expect(flow.model("one").podsOf(refOf("a"))).toHaveLength(3);
    await flow.end();
  });
});
