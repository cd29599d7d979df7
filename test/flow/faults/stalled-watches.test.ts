import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, listWaits, openShop, settingsOf, listMovedPaths } from "../shop.ts";

/** The longest time for which a silent watch is believed, plus a second for the list and the reconcile, ms. */
const longestMs = 76_000;

async function startMoving(settings = settingsOf("batchSize: 2")): Promise<FleetFlow> {
  const flow = await openShop({ settings });
  flow.whenMerged(file(100));
  await flow.until("something moves", () => listMovedPaths(flow).length > 0);
  return flow;
}

async function expectAllOnce(flow: FleetFlow): Promise<void> {
  const [run] = await flow.untilRunsEnd(1);
  expect([run?.state, run?.outcome?.migrated, listMovedPaths(flow).length]).toEqual(["done", 6, 6]);
  await flow.end();
}

describe("a watch that stalls without closing", () => {
  test("in the middle of a batch it is closed, everything is listed again, and each workload is written once", async () => {
    const flow = await startMoving();
    flow.model("one").faults.stallWatches();
    await flow.pass(10_000);
    const before = listMovedPaths(flow).length;
    await flow.pass(60_000);
    const during = listMovedPaths(flow).length;
    // The executor does not see the rolling workloads arrive, so the batch waits and no other one begins.
    expect([before, during]).toEqual([2, 2]);
    await expectAllOnce(flow);
  });

  test("while its lists are refused, answers to other requests do not make the cluster fresh", async () => {
    const flow = await startMoving();
    const { faults } = flow.model("one");
    const allow = faults.forbid("deployments");
    faults.stallWatches();
    await flow.pass(longestMs);
    const before = listMovedPaths(flow).length;
    await flow.pass(600_000);
    const status = await flow.status();
    expect([status?.clusters[0]?.fresh, listMovedPaths(flow).length]).toEqual([false, before]);
    expect(await listWaits(flow)).toContain("ClusterUnreachable");
    expect(status?.clusters[0]?.problems.join()).toContain("cannot read deployments");
    allow();
    await expectAllOnce(flow);
  });

  test("kubectl's stop that was placed meanwhile counts once the watch is closed, and stays", async () => {
    const flow = await startMoving(settingsOf("batchSize: 1"));
    const model = flow.model("one");
    model.faults.stallWatches();
    model.setConfigMap("meshroll-system", "meshroll-stop", {});
    await flow.pass(longestMs);
    const before = listMovedPaths(flow).length;
    await flow.pass(600_000);
    expect(listMovedPaths(flow).length).toBe(before);
    expect(before).toBeLessThan(6);
    await flow.end();
  });
});
