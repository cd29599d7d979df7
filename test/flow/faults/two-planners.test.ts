import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, listMovedPaths } from "../shop.ts";

/** Place of the planner that holds the lease; `free` after it was given back. */
async function findLeader(flow: FleetFlow): Promise<string | undefined> {
  return (await flow.bucket("status").get("leader"))?.value?.split(" ")[0];
}

/** Starts a second planner in the middle of a run. */
async function openWithTwo(): Promise<FleetFlow> {
  const flow = await openShop();
  // So that the two planners check the lease at different times, one after the other.
  await flow.pass(1_000);
  flow.startPlanner();
  flow.whenMerged(file(100));
  await flow.until("something moves", () => listMovedPaths(flow).length > 0);
  return flow;
}

async function expectEverythingOnce(flow: FleetFlow): Promise<void> {
  const runs = await flow.untilRunsEnd(1);
  expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
  expect([listMovedPaths(flow).length, countOn(flow, "new")]).toEqual([6, 6]);
  await flow.end();
}

test("the waiting planner leads within twelve seconds of the other's kill -9 and continues the run", async () => {
  const flow = await openWithTwo();
  await flow.killPlanner(1);
  await flow.pass(7_000);
  const before = await findLeader(flow);
  await flow.pass(5_000);
  expect([before, await findLeader(flow)]).toEqual(["planner-1", "planner-2"]);
  await expectEverythingOnce(flow);
});

test("while two lead for a moment, again and again, each decision is recorded once and each workload patched once", async () => {
  const flow = await openWithTwo();
  const leaders = new Set<string | undefined>();
  for (let round = 0; round < 40; round += 1) {
    // The planner that checks next takes the lease, in turn; the previous leader believes that it leads until its own next
    // check.
    await flow.bucket("status").put("leader", "free");
    await flow.pass(3_000);
    leaders.add(await findLeader(flow));
  }
  expect(leaders).toEqual(new Set(["planner-1", "planner-2"]));
  await expectEverythingOnce(flow);
});
