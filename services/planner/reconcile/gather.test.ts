import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createFakeQueueServer, openFakeQueue } from "#fakes/queue";
import { createVirtualClock } from "#fakes/runtime";
import {
  type BatchJob,
  createInventoryFold,
  makeBatchJob,
  nameClusterKey,
  nameNamespaceKey,
  printClusterFacts,
  printNamespaceInventory,
} from "#libs/events";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { NamespaceTree } from "#libs/plan";
import { makeCluster, makeNamespace, makeWorkload } from "#test/world/build";
import { expect, test } from "vitest";

import { createMemory, gather } from "./gather.ts";
import { createReconcileDeadline } from "../loop/reconcile-deadline.ts";

const job = makeBatchJob({
  cluster: "one",
  clusterUid: "u",
  run: "abcdefabcdef",
  due: "pending",
});

/** Sources of a planner: one cluster that was published just now, an empty queue, and a main that was read once. */
async function makeBench() {
  const clock = createVirtualClock();
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "production: { old: 100 }\n" } });
  const repository = openFakeRepository(remote);
  const repositorySnapshots = createRepositorySnapshots(repository, openLedger(repository), clock);
  const server = createFakeQueueServer(clock);
  const queue = openFakeQueue<BatchJob>(server);
  const inventory = createInventoryFold(NamespaceTree.empty);
  const facts = makeCluster("one", [], { facts: { count: 1 } }).facts;
  const publish = (monotonic = clock.monotonic()) => {
    const [seenAt, serverAt] = [clock.now(), clock.now()];
    inventory.apply(nameClusterKey("one"), printClusterFacts({ ...facts, seenAt, serverAt }), monotonic);
    const shop = makeNamespace("shop", [makeWorkload("shop/a")]);
    inventory.apply(nameNamespaceKey("one", "shop"), printNamespaceInventory(shop), monotonic);
  };
  const deadline = createReconcileDeadline(clock);
  const onFault = (error: unknown): void => expect.unreachable(String(error));
  const sources = {
    repositorySnapshots,
    inventory,
    requests: new Map(),
    queue,
    clock,
    memory: createMemory(),
    deadline,
    onFault,
  };
  const reconcile = async () => (await gather(sources))?.clusters.get("one");
  return { clock, server, queue, repositorySnapshots, inventory, publish, sources, reconcile };
}

test("before main was read once nothing is known of it", async () => {
  const { sources } = await makeBench();
  expect(await gather(sources)).toMatchObject({ main: { head: "", ageMs: Infinity }, ledger: undefined });
});

test("9.1 fresh = seen to change within 60 s of the planner's own clock", async () => {
  const { clock, repositorySnapshots, publish, reconcile } = await makeBench();
  await repositorySnapshots.refresh();
  publish();
  await clock.advance(60_000);
  const within = await reconcile();
  await clock.advance(1);
  const after = await reconcile();
  expect([within?.fresh, within?.ageMs, after?.fresh]).toEqual([true, 60_000, false]);
});

test("9.1 a cluster that was never seen to change is not fresh, and its age is by its executor's clock", async () => {
  const { clock, repositorySnapshots, publish, reconcile } = await makeBench();
  await repositorySnapshots.refresh();
  publish(Number.NEGATIVE_INFINITY);
  await clock.advance(5000);
  const read = await reconcile();
  expect([read?.fresh, read?.ageMs]).toEqual([false, 5000]);
});

test("9.1 a cluster with fewer namespaces than it counts is not fresh", async () => {
  const { repositorySnapshots, publish, inventory, reconcile } = await makeBench();
  await repositorySnapshots.refresh();
  publish();
  inventory.apply(nameNamespaceKey("one", "shop"), undefined, 0);
  expect((await reconcile())?.fresh).toBe(false);
});

test("4.1 the job in the queue is read; the delay counts from when it was seen to leave", async () => {
  const { clock, queue, repositorySnapshots, publish, reconcile } = await makeBench();
  await repositorySnapshots.refresh();
  publish();
  await queue.put("one", job);
  const held = await reconcile();
  await clock.advance(7000);
  await queue.drop("one");
  const ended = await reconcile();
  expect(held?.batch).toEqual({ run: "abcdefabcdef", state: "waiting" });
  expect([ended?.batch, ended?.batchEndedAt]).toEqual([undefined, clock.now()]);
});

test("4.1 a job that is not ours is foreign, with the reason, and no delay follows its end", async () => {
  const { queue, repositorySnapshots, publish, reconcile } = await makeBench();
  await repositorySnapshots.refresh();
  publish();
  await queue.put("one", { ...job, version: 2 } as unknown as BatchJob);
  const before = (await reconcile())?.batchEndedAt;
  expect((await reconcile())?.batch).toMatchObject({
    state: "foreign",
    reason: expect.stringMatching(/not ours.*version/s),
  });
  await queue.drop("one");
  expect((await reconcile())?.batchEndedAt).toBe(before);
});

test("a queue that does not answer is reported, and gets no batch", async () => {
  const { server, repositorySnapshots, publish, sources } = await makeBench();
  await repositorySnapshots.refresh();
  publish();
  server.disconnect();
  const snapshot = await gather(sources);
  expect([snapshot?.queueUp, snapshot?.clusters.get("one")?.batch]).toEqual([false, undefined]);
});
