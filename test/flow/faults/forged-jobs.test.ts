import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { forgeJob } from "../forging/forge-job.ts";
import { countRolling, openShop, file, listMovedPaths } from "../shop.ts";

const minute = 60_000;

/** An open run whose first batch of two has ended, during the delay before the next one. */
async function betweenBatches(): Promise<FleetFlow> {
  const flow = await openShop({ settings: "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 5m }\n" });
  await flow.pass(5 * minute);
  flow.whenMerged(file(100));
  await flow.until("the first batch ended", async () => {
    return listMovedPaths(flow).length === 2 && countRolling(flow) === 0 && (await flow.job()) === undefined;
  });
  return flow;
}

test("a forged job between two batches does not shorten the delay between them", async () => {
  const flow = await betweenBatches();
  await forgeJob(flow);
  await flow.pass(4 * minute);
  expect(new Set(listMovedPaths(flow)).size).toBe(2);
  await flow.pass(2 * minute);
  expect(new Set(listMovedPaths(flow)).size).toBe(4);
  await flow.untilRunsEnd(1);
  await flow.end();
});

const item = { namespace: "shop-c", kind: "Deployment", name: "web", uid: "u", target: "new" };
const strangers = [
  { name: "of a run that is not on record", change: { run: "aaaaaaaaaaaa" } },
  { name: "for another cluster under this one's queue", change: { cluster: "two" } },
  { name: "for another cluster's API server", change: { clusterUid: "kube-system-of-two" } },
  { name: "of a rollback that does not exist", change: { due: "rollback" } },
  { name: "that names a workload", change: { items: [item] } },
  { name: "that is not a valid job", change: { version: 7 } },
] as const;

test.each(strangers)("a job $name moves nothing, leaves the queue, and stops no cluster", async (stranger) => {
  const flow = await betweenBatches();
  await forgeJob(flow, stranger.change);
  await flow.pass(60_000);
  expect([listMovedPaths(flow).length, await flow.job()]).toEqual([2, undefined]);
  expect(Object.keys((await flow.ledger())?.stops ?? {})).toEqual([]);
  await flow.end();
});
