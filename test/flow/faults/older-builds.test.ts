import { printClusterFacts, printControlState, readClusterFacts, readControlState } from "#libs/events";
import { newestFormat, oldestFormat } from "#libs/input";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { sentenceOf } from "#test/world/words";
import { countOn, file, makeShop, openShop } from "../shop.ts";

type Bucket = Parameters<FleetFlow["bucket"]>[0];

/** Versions of what stands in a bucket, each once; keys of `status` that carry their version in their name are none of it. */
async function listVersions(flow: FleetFlow, bucket: Bucket, pattern: string): Promise<readonly unknown[]> {
  const found = new Set<unknown>();
  const stop = new AbortController();
  const onEntry = ({ value }: { readonly value?: string }): void => {
    if (value !== undefined) found.add((JSON.parse(value) as { readonly version?: unknown }).version);
  };
  await flow
    .bucket(bucket)
    .watch(pattern, { onEntry, onReady: () => undefined, onReset: () => undefined }, stop.signal);
  stop.abort();
  return [...found];
}

async function listAllVersions(flow: FleetFlow): Promise<readonly unknown[]> {
  const all = await Promise.all([
    listVersions(flow, "control", ">"),
    listVersions(flow, "inventory", ">"),
    listVersions(flow, "status", "notify"),
    listVersions(flow, "status", "answer.*"),
  ]);
  return [...new Set(all.flat())];
}

async function listWaits(flow: FleetFlow): Promise<readonly string[]> {
  return ((await flow.status())?.waitingFor ?? []).filter(({ code }) => code === "OlderAlive").map(sentenceOf);
}

/** An executor of the version before for a cluster without another one: it publishes as such a one does. */
async function publishOld(flow: FleetFlow, cluster: string, more: object = {}): Promise<void> {
  const text = (await flow.bucket("inventory").get("one._"))?.value ?? "";
  const facts = readClusterFacts("one", text);
  if (facts === undefined) throw new Error("cluster one is not there");
  const { reads: _, ...old } = { ...facts, cluster, count: 0, seenAt: flow.clock.now(), uid: `uid-${cluster}` };
  await flow.bucket("inventory").put(`${cluster}._`, printClusterFacts({ ...old, ...more }, oldestFormat));
}

/** It is only on the bus: no API server of it recorded anything. */
const noCluster = [/evidenceIsWhole: two/u];

test("a ledger of the version before is raised once no older process was heard for a minute, with all that is on the bus", async () => {
  const flow = await makeShop({ format: oldestFormat });
  flow.startExecutor().startPlanner();
  flow.whenMerged(file(50));
  await flow.pass(50_000);
  await flow.whenAsked({ verb: "stop", scope: "namespace/shop-f" });
  await flow.pass(5000);
  const before = [(await flow.ledger())?.format, await listAllVersions(flow), (await listWaits(flow)).length];
  await flow.untilRunsEnd(1).catch(() => undefined);
  await flow.until("it is raised", async () => (await flow.ledger())?.format === newestFormat, 120_000);
  await flow.whenAsked({ verb: "resume", scope: "namespace/shop-f" });
  await flow.pass(30_000);

  expect(before).toEqual([oldestFormat, [oldestFormat], 1]);
  const control = await listVersions(flow, "control", "state");
  expect([control, await listVersions(flow, "inventory", ">"), await listWaits(flow)]).toEqual([
    [newestFormat],
    [newestFormat],
    [],
  ]);
  await flow.end();
});

test("while an executor of the version before is alive all goes on in its version, and status names it", async () => {
  const flow = await makeShop({ format: oldestFormat });
  flow.startExecutor().startPlanner();
  for (let round = 0; round < 12; round += 1) {
    await flow.pass(20_000);
    await publishOld(flow, "two");
    if (round === 2) flow.whenMerged(file(100));
  }
  const [wait] = await listWaits(flow);
  expect(wait).toContain(`the executor of two reads up to ${oldestFormat}`);
  expect(countOn(flow, "new")).toBe(6);
  expect([(await flow.ledger())?.format, await listAllVersions(flow)]).toEqual([oldestFormat, [oldestFormat]]);

  for (let round = 0; round < 3; round += 1) {
    await publishOld(flow, "two", { reads: newestFormat });
    await flow.pass(10_000);
  }
  expect((await flow.ledger())?.format).toBe(newestFormat);
  await flow.end(noCluster);
});

test("an executor that is not heard of is not known to read it: it is waited for, by name, and nothing else waits", async () => {
  const flow = await makeShop({ format: oldestFormat });
  await flow.startExecutor().pass(20_000);
  await publishOld(flow, "two", { reads: newestFormat });
  flow.startPlanner();
  await flow.pass(120_000);
  expect(await listWaits(flow)).toEqual([expect.stringMatching(/not known: the executor of two \(not seen\)/u)]);
  flow.whenMerged(file(100));
  await flow.until("all arrived", () => countOn(flow, "new") === 6);
  expect((await flow.ledger())?.format).toBe(oldestFormat);
  await flow.end();
});

test("while another planner of the version before is heard nothing is raised, and a minute after its last word it is", async () => {
  const flow = await makeShop({ format: oldestFormat });
  flow.startExecutor().startPlanner();
  for (let round = 0; round < 12; round += 1) {
    await flow.pass(10_000);
    const state = readControlState((await flow.bucket("control").get("state"))?.value ?? "");
    if (state === undefined) throw new Error("control is seeded");
    const { reads: _, ...old } = { ...state, beat: `older-${round}`, writer: "older" };
    await flow.bucket("control").put("state", printControlState(old));
  }
  expect(await listWaits(flow)).toEqual([expect.stringContaining(`the planner older reads up to ${oldestFormat}`)]);
  expect((await flow.ledger())?.format).toBe(oldestFormat);
  await flow.pass(50_000);
  expect((await flow.ledger())?.format).toBe(oldestFormat);
  await flow.pass(20_000);
  expect((await flow.ledger())?.format).toBe(newestFormat);
  await flow.end();
});

test("the bus was wiped: who is alive is not known again for a minute", async () => {
  const flow = await makeShop({ format: oldestFormat });
  flow.startExecutor().startPlanner();
  await flow.pass(50_000);
  flow.bus.wipe();
  await flow.pass(55_000);
  expect((await flow.ledger())?.format).toBe(oldestFormat);
  await flow.until("it is raised", async () => (await flow.ledger())?.format === newestFormat, 120_000);
  await flow.end();
});

test("what an executor published before it knew the version is published again: the next build does not read it", async () => {
  const flow = await makeShop();
  await flow.startExecutor().pass(20_000);
  const before = await listVersions(flow, "inventory", ">");
  await flow.startPlanner().pass(10_000);
  expect([before, await listVersions(flow, "inventory", ">")]).toEqual([[oldestFormat], [newestFormat]]);
  await flow.end();
});

test("an executor of the version before that comes after it was raised is named, and the others go on", async () => {
  const flow = await openShop();
  await publishOld(flow, "two");
  flow.whenMerged(file(100));
  await flow.pass(20_000);
  await publishOld(flow, "two");
  await flow.pass(5000);
  expect(await listWaits(flow)).toEqual([expect.stringContaining(`the executor of two reads up to ${oldestFormat}`)]);
  await flow.until("all of one arrived", () => countOn(flow, "new") === 6);
  await flow.end(noCluster);
});
