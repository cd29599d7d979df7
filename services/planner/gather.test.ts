import { newestFormat } from "#libs/input";
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
import type { Workload, WorkloadTimes } from "#libs/fleet";
import { openLedger } from "#libs/ledger";
import { createMainline } from "#libs/mainline";
import { NamespaceTree } from "#libs/plan";
import { makeCluster, makeNamespace, makeWorkload, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { createMemory, gather } from "./gather.ts";
import { createPatience } from "./patience.ts";

const marked = { "meshroll.dev/run": "abcdefabcdef new" };

const job = makeBatchJob({
  cluster: "one",
  clusterUid: "u",
  run: "abcdefabcdef",
  commit: sha("head"),
  strategy: "Batched",
  items: [
    { namespace: "shop", kind: "Deployment", name: "a", uid: "u", target: "new", attempt: 1, unhealthyBefore: false },
  ],
});

/** A planner's sources: one cluster that was published now, an empty queue, a main that was read once. */
async function makeBench() {
  const clock = createVirtualClock();
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "production: { old: 100 }\n" } });
  const repository = openFakeRepository(remote);
  const mainline = createMainline(repository, openLedger(repository), clock);
  const server = createFakeQueueServer(clock);
  const queue = openFakeQueue<BatchJob>(server);
  const inventory = createInventoryFold(NamespaceTree.empty);
  const facts = makeCluster("one", [], { facts: { count: 1 } }).facts;
  const publish = (monotonic = clock.monotonic(), change: Partial<Workload> = {}) => {
    const [seenAt, serverAt] = [clock.now(), clock.now()];
    inventory.apply(nameClusterKey("one"), printClusterFacts({ ...facts, seenAt, serverAt }), monotonic);
    const shop = makeNamespace("shop", [makeWorkload("shop/a", change)]);
    inventory.apply(nameNamespaceKey("one", "shop"), printNamespaceInventory(shop), monotonic);
  };
  const patience = createPatience(clock);
  const onFault = (error: unknown): void => expect.unreachable(String(error));
  const sources = {
    mainline,
    inventory,
    asks: new Map(),
    queue,
    clock,
    memory: createMemory(clock),
    patience,
    onFault,
  };
  const look = async () => (await gather(sources))?.clusters.get("one");
  return { clock, server, queue, mainline, inventory, publish, sources, look };
}

test("before main was read once nothing is known of it", async () => {
  const { sources } = await makeBench();
  expect(await gather(sources)).toMatchObject({ main: { head: "", ageMs: Infinity }, ledger: undefined });
});

test("9.1 fresh = seen to change within 60 s of the planner's own clock", async () => {
  const { clock, mainline, publish, look } = await makeBench();
  await mainline.refresh();
  publish();
  await clock.advance(60_000);
  const within = await look();
  await clock.advance(1);
  const after = await look();
  expect([within?.fresh, within?.ageMs, after?.fresh]).toEqual([true, 60_000, false]);
});

test("9.1 what was only read, and never seen to change, is not fresh, and its age is what its executor said", async () => {
  const { clock, mainline, publish, look } = await makeBench();
  await mainline.refresh();
  publish(Number.NEGATIVE_INFINITY);
  await clock.advance(5000);
  const read = await look();
  expect([read?.fresh, read?.ageMs]).toEqual([false, 5000]);
});

test("9.1 fewer keys than the cluster counts is not fresh", async () => {
  const { mainline, publish, inventory, look } = await makeBench();
  await mainline.refresh();
  publish();
  inventory.apply(nameNamespaceKey("one", "shop"), undefined, 0);
  expect((await look())?.fresh).toBe(false);
});

test("4.1 the job in the queue is read; the delay counts from when it was seen to leave", async () => {
  const { clock, queue, mainline, publish, look } = await makeBench();
  await mainline.refresh();
  publish();
  await queue.put("one", job);
  const held = await look();
  await clock.advance(7000);
  await queue.drop("one");
  const ended = await look();
  expect(held?.batch).toMatchObject({ run: "abcdefabcdef", state: "waiting", workloads: ["shop/Deployment/a"] });
  expect([ended?.batch, ended?.batchEndedAt]).toEqual([undefined, clock.now()]);
});

test.each([
  {
    name: "it came to rest half a minute ago",
    annotations: marked,
    times: { written: -60, status: -31 },
    want: -30_000,
  },
  { name: "its API server told no times: now", annotations: marked, times: {}, want: 0 },
  { name: "nothing of ours was ever written: no delay", annotations: {}, times: {}, want: Number.NEGATIVE_INFINITY },
])(
  "4.2 a planner that starts counts the delay from what the objects say: $name",
  async ({ annotations, times, want }) => {
    const { clock, mainline, publish, look } = await makeBench();
    const startedAt = clock.now();
    const at = Object.entries(times).map(([key, second]) => [key, startedAt + 7000 + second * 1000]);
    await mainline.refresh();
    await clock.advance(7000);
    publish(undefined, { annotations, times: Object.fromEntries(at) as WorkloadTimes });
    const endedAt = (await look())?.batchEndedAt ?? Number.NaN;
    expect(endedAt - startedAt - (want === -30_000 ? 7000 : 0)).toBe(want);
  },
);

test("4.1 a job that is not ours is known as foreign, with the reason, and its end puts off nothing", async () => {
  const { queue, mainline, publish, look } = await makeBench();
  await mainline.refresh();
  publish();
  await queue.put("one", { ...job, version: newestFormat + 1 } as unknown as BatchJob);
  const before = (await look())?.batchEndedAt;
  expect((await look())?.batch).toMatchObject({
    state: "foreign",
    reason: expect.stringMatching(/not ours.*version/s),
  });
  await queue.drop("one");
  expect((await look())?.batchEndedAt).toBe(before);
});

test("a queue that does not answer is known: nothing is handed out", async () => {
  const { server, mainline, publish, sources } = await makeBench();
  await mainline.refresh();
  publish();
  server.disconnect();
  const world = await gather(sources);
  expect([world?.queueUp, world?.clusters.get("one")?.batch]).toEqual([false, undefined]);
});
