import { openFakeQueue } from "#fakes/queue";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { forgeJob } from "../forging/forge-job.ts";
import { countRolling, openShop, file, settingsOf, written } from "../shop.ts";

const minute = 60_000;
const names = ["a", "b", "c", "d", "e", "f"];

/** A job with these of the shop's namespaces. */
async function forge(flow: FleetFlow, of: readonly string[], change: object = {}, item: object = {}): Promise<void> {
  await forgeJob(
    flow,
    of.map((name) => `shop-${name}`),
    change,
    item,
  );
}

/** A run is open, its first batch of two has ended, and the delay to the next one goes on. */
async function betweenBatches(): Promise<FleetFlow> {
  const flow = await openShop({ settings: "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 5m }\n" });
  await flow.pass(5 * minute);
  flow.whenMerged(file(100));
  await flow.until("the first batch ended", async () => {
    return written(flow).length === 2 && countRolling(flow) === 0 && (await flow.job()) === undefined;
  });
  return flow;
}

test("a forged job says that all were unhealthy before: what fails is a failure, and stops the run", async () => {
  const settings = settingsOf("batchSize: 2, maxAttempts: 1, readinessTimeout: 2m, failurePolicy: FailFast");
  const flow = await openShop({ settings });
  flow.model("one").breakWorkload(() => true, { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100));
  await flow.until("the run is open", async () => (await flow.runs()).length === 1);
  await forge(flow, names, {}, { unhealthyBefore: true });
  await flow.pass(20 * minute);

  const stops = Object.values((await flow.ledger())?.stops ?? {}).map(({ cause }) => cause);
  expect(stops).toContain("failures");
  expect(new Set(written(flow)).size).toBeLessThanOrEqual(2);
  await flow.end();
});

test("a forged job between two batches does not shorten the delay between them", async () => {
  const flow = await betweenBatches();
  await forge(flow, names);
  await flow.pass(4 * minute);
  expect(new Set(written(flow)).size).toBe(2);
  await flow.pass(2 * minute);
  expect(new Set(written(flow)).size).toBe(4);
  await flow.untilRunsEnd(1);
  await flow.end();
});

test("while a forged job waits for the delay, status names what it waits for", async () => {
  const flow = await betweenBatches();
  await forge(flow, names);
  await flow.pass(60_000);
  const status = JSON.stringify(await flow.status());
  expect(status).toContain("DelayBetweenBatches");
  await flow.end();
});

test("a forged job cannot raise the number of the try, nor choose to wait for nothing", async () => {
  const flow = await betweenBatches();
  await forge(flow, names, { strategy: "Window" }, { attempt: 9 });
  await flow.pass(4 * minute);
  expect(new Set(written(flow)).size).toBe(2);
  await flow.untilRunsEnd(1);
  const marks = flow.model("one").writes.map(({ body }) => JSON.stringify(body));
  expect(marks.filter((text) => text.includes("#9"))).toEqual([]);
  await flow.end();
});

const strangers = [
  { name: "of a run that is not on record", change: { run: "aaaaaaaaaaaa" } },
  { name: "of a run named like a thing of the language", change: { run: "constructor" } },
  { name: "with the commit of nothing that was merged", change: { commit: "0".repeat(40) } },
  { name: "for another cluster under this one's queue", change: { cluster: "two" } },
  { name: "for another cluster's API server", change: { clusterUid: "kube-system-of-two" } },
  { name: "with names that are none", change: {}, item: { namespace: "../kube-system", name: "__proto__", uid: "x" } },
  { name: "of workloads that were created again since", change: {}, item: { uid: "of-another-life" } },
  { name: "towards a revision that main does not want", change: {}, item: { target: "evil" } },
  { name: "that is no job at all", change: { version: 7, items: "all" } },
] as const;

test.each(strangers)("a job $name moves nothing, leaves the queue, and stops no cluster", async (stranger) => {
  const flow = await betweenBatches();
  await forge(flow, names, stranger.change, "item" in stranger ? stranger.item : {});
  await flow.pass(60_000);
  expect([written(flow).length, await flow.job()]).toEqual([2, undefined]);
  expect(Object.keys((await flow.ledger())?.stops ?? {})).toEqual([]);
  await flow.end();
});

test("a job of 100,000 workloads leaves the queue unread, and the cluster goes on", async () => {
  const flow = await betweenBatches();
  const item = { namespace: "shop-c", kind: "Deployment", name: "web", uid: "u", target: "new" };
  await forge(flow, names, { items: Array.from({ length: 100_000 }, () => item) });
  await flow.pass(60_000);
  expect([written(flow).length, await flow.job()]).toEqual([2, undefined]);
  await flow.end();
});

test("yesterday's job, put into the queue again, writes nothing a second time", async () => {
  const flow = await betweenBatches();
  await forge(flow, ["a", "b", "c", "d", "e", "f"]);
  const old = await openFakeQueue(flow.queue).inspect("one");
  await flow.untilRunsEnd(1);
  const count = written(flow).length;
  await openFakeQueue(flow.queue).put("one", old?.job);
  await flow.pass(2 * minute);
  expect([written(flow).length, await flow.job()]).toEqual([count, undefined]);
  await flow.end();
});
