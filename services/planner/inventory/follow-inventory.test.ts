import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { createInventoryFold, nameClusterKey, printClusterFacts } from "#libs/events";
import { NamespaceTree } from "#libs/plan";
import { makeCluster } from "#test/world/build";
import { expect, test } from "vitest";

import { followInventory } from "./follow-inventory.ts";

/** The bucket, an executor that publishes one cluster, and a planner's fold. */
function makeBench() {
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  const bucket = openFakeBus(server).bucket("inventory");
  const fold = createInventoryFold(NamespaceTree.empty);
  const { facts } = makeCluster("one", []);
  const publish = async () => {
    await bucket.put(nameClusterKey("one"), printClusterFacts({ ...facts, seenAt: clock.now() }));
    await clock.settle();
  };
  const follow = async () => {
    await followInventory(bucket, fold, clock, () => undefined, new AbortController().signal);
    await clock.settle();
  };
  return { clock, server, publish, follow, changedAt: () => fold.clusters()[0]?.changedAt };
}

test("9.1 a cluster is not fresh by values that were there before: its executor may have died long ago", async () => {
  const { clock, publish, follow, changedAt } = makeBench();
  await publish();
  await clock.advance(3_600_000);
  await follow();
  const read = changedAt();
  await publish();
  expect([read, changedAt()]).toEqual([Number.NEGATIVE_INFINITY, 3_600_000]);
});

test("9.1 a cluster is not fresh by values that are read again after the bus was away", async () => {
  const { clock, server, publish, follow, changedAt } = makeBench();
  await follow();
  await publish();
  server.disconnect();
  await clock.advance(90_000);
  server.connect();
  await clock.settle();
  expect(changedAt()).toBe(Number.NEGATIVE_INFINITY);
});

test("9.1 after a wipe a cluster is unknown until its executor publishes again", async () => {
  const { clock, server, publish, follow, changedAt } = makeBench();
  await follow();
  await publish();
  server.wipe();
  await clock.settle();
  const wiped = changedAt();
  await publish();
  expect([wiped, changedAt()]).toEqual([undefined, 0]);
});
