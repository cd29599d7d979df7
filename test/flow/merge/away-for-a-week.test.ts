import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { file, settingsOf } from "../shop.ts";
import { countMoves, countOn, makeCluster, untilMigrated } from "../six-clusters.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const [near, far] = ["use1-a", "usw2-a"] as const;

/** Waits of the cluster that is away. */
async function waits(flow: FleetFlow): Promise<readonly string[]> {
  const all = (await flow.status())?.waiting ?? [];
  return all.filter(({ scope }) => scope.endsWith(`@${far}`)).map(({ code }) => code);
}

/** A day; its first two minutes pass second by second, the rest in one step. */
async function passDay(flow: FleetFlow): Promise<readonly string[]> {
  await flow.pass(2 * minuteMs);
  const told = await waits(flow);
  await flow.clock.leap(dayMs - 2 * minuteMs);
  return told;
}

/** A run whose first workload in `far` rolls when its API server goes away for seven days; the other cluster completes. */
async function goAway(): Promise<{ readonly flow: FleetFlow; readonly before: number }> {
  const flow = new FleetFlow();
  for (const name of [near, far]) flow.givenCluster(name, makeCluster(flow, name));
  flow.whenMerged(file(0), settingsOf("batchSize: 1"));
  await flow.givenBaseline();
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.until("something moves there", () => countMoves(flow, far) > 0);
  flow.model(far).faults.unavailableFor(7 * dayMs);
  const before = countMoves(flow, far);
  await untilMigrated(flow, [near]);
  await flow.pass(2 * minuteMs);
  return { flow, before };
}

/** Lets the days pass; returns the different lists of waits that a day had. */
async function passDays(flow: FleetFlow, days: number): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (let day = 0; day < days; day += 1) told.add((await passDay(flow)).join());
  return told;
}

async function untilBack(flow: FleetFlow): Promise<void> {
  expect(flow.model(far).faults.unavailableMs()).toBeGreaterThan(0);
  await flow.clock.leap(flow.model(far).faults.unavailableMs());
  await flow.pass(2 * minuteMs);
}

test("a cluster that is away for a week in the middle of a run is named every day, then catches up with one write each", async () => {
  const { flow, before } = await goAway();
  const told = await passDays(flow, 6);
  expect([...told]).toEqual(["ClusterUnreachable"]);
  expect([before < 4, countMoves(flow, far), countMoves(flow, near)]).toEqual([true, before, 4]);
  expect((await flow.runs()).map(({ state }) => state)).toEqual(["open"]);

  await untilBack(flow);
  const [run] = await flow.untilRunsEnd(1);
  expect([run?.state, run?.outcome?.migrated]).toEqual(["done", 8]);
  expect([countOn(flow, far, "new"), countMoves(flow, far), countMoves(flow, near)]).toEqual([4, 4, 4]);
  await flow.end();
});

test("a stop that was placed while a cluster was away for a week holds there when it is back, until it is ended", async () => {
  const { flow, before } = await goAway();
  await passDays(flow, 2);
  await flow.whenAsked({ verb: "stop", scope: `cluster/${far}` });
  await passDays(flow, 4);
  await untilBack(flow);
  await flow.pass(10 * minuteMs);
  expect([await waits(flow), countMoves(flow, far)]).toEqual([["Stopped"], before]);

  await flow.whenAsked({ verb: "resume", scope: `cluster/${far}` });
  const [run] = await flow.untilRunsEnd(1);
  expect([run?.state, countMoves(flow, far)]).toEqual(["done", 4]);
  await flow.end();
});

test("after a rollback of main while a cluster was away for a week, its moves are rolled back and nothing moves forward", async () => {
  const { flow, before } = await goAway();
  await passDays(flow, 1);
  flow.whenMerged(file(0));
  await flow.until("the near cluster is back", () => countOn(flow, near, "old") === 4);
  await passDays(flow, 5);
  await untilBack(flow);
  await flow.untilRunsEnd(2);
  expect([countOn(flow, far, "old"), countMoves(flow, far)]).toEqual([4, 2 * before]);
  await flow.end();
});
