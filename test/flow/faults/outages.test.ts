import { GitUnavailable } from "#libs/git";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running, listMovedPaths } from "../shop.ts";

/** Ends the flow's only run and expects that no workload was written twice. */
async function expectEverythingOnce(flow: FleetFlow): Promise<void> {
  const runs = await flow.untilRunsEnd(1);
  expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
  expect(new Set(listMovedPaths(flow)).size).toBe(6);
  expect(listMovedPaths(flow)).toHaveLength(6);
  await flow.end();
}

async function startMoving(flow: FleetFlow): Promise<void> {
  flow.whenMerged(file(100));
  await flow.until("something moves", () => listMovedPaths(flow).length > 0);
}

test("7.2 without a planner no workload is moved after 30 s; workloads in flight are watched to their end", async () => {
  const flow = await openShop({ readyMs: 90_000 });
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  await startMoving(flow);

  await flow.killPlanner();
  await flow.pass(31_000);
  const before = listMovedPaths(flow).length;
  await flow.pass(900_000);

  // One workload of the batch arrived; the other one failed and was put back: one more write, and no move.
  expect([before, listMovedPaths(flow).length]).toEqual([2, 3]);
  expect([running(flow, refOf("a")), running(flow, refOf("b"))]).toEqual([["old"], ["new"]]);
  await flow.end();
});

test("with the bus down nothing new starts; afterwards everything continues by itself", async () => {
  const flow = await openShop();
  await startMoving(flow);

  flow.bus.disconnect();
  await flow.pass(31_000);
  const before = listMovedPaths(flow).length;
  await flow.pass(600_000);
  const during = listMovedPaths(flow).length;
  flow.bus.connect();

  expect(during).toBe(before);
  expect(before).toBeLessThan(6);
  await expectEverythingOnce(flow);
});

test("with the queue down nothing new starts; afterwards everything continues by itself", async () => {
  const flow = await openShop();
  await startMoving(flow);

  flow.queue.disconnect();
  await flow.pass(1000);
  const before = listMovedPaths(flow).length;
  await flow.pass(600_000);
  const during = listMovedPaths(flow).length;
  const waiting = (await flow.status())?.waiting.map(({ code }) => code);
  flow.queue.connect();

  expect([during, waiting]).toEqual([before, ["QueueDown"]]);
  await expectEverythingOnce(flow);
});

test("a full Redis is named within ten seconds; nothing new starts, and everything continues once there is room", async () => {
  const flow = await openShop();
  await startMoving(flow);

  flow.queue.fill();
  // The batch in hand goes on to its end; the next one is refused.
  await flow.pass(300_000);
  const before = listMovedPaths(flow).length;
  await flow.pass(10_000);
  const waiting = (await flow.status())?.waiting.map(({ code, owner }) => [code, owner]);
  await flow.pass(600_000);
  const during = listMovedPaths(flow).length;
  flow.queue.makeRoom();

  expect([during, waiting]).toEqual([before, [["QueueFull", "the operator of Redis"]]]);
  await expectEverythingOnce(flow);
});

for (const [what, wipe] of [
  ["queue", (flow: FleetFlow) => flow.queue.flush()],
  ["bus", (flow: FleetFlow) => flow.bus.wipe()],
  [
    "queue and the bus",
    (flow: FleetFlow) => {
      flow.queue.flush();
      flow.bus.wipe();
    },
  ],
] as const) {
  test(`4.1 the ${what} is wiped in the middle of every batch: no workload is restarted twice and all arrive`, async () => {
    const flow = await openShop();
    await startMoving(flow);
    for (let round = 0; round < 5; round += 1) {
      wipe(flow);
      await flow.pass(7000);
    }
    await expectEverythingOnce(flow);
  });
}

test("lost answers to writes, conflicts and throttling restart no workload twice", async () => {
  const flow = await openShop();
  const { faults } = flow.model("one");
  faults.loseAnswers(2);
  faults.conflictNext(3);
  flow.whenMerged(file(100));
  await flow.until("half is there", () => countOn(flow, "new") >= 3);
  faults.throttleNext(4, 5);
  await expectEverythingOnce(flow);
});

test("8.2 push first, then act: a run that cannot be recorded moves nothing", async () => {
  const flow = await openShop();
  const push = flow.remote.push.bind(flow.remote);
  flow.remote.push = () => {
    throw new GitUnavailable("the push does not come through");
  };
  flow.whenMerged(file(100));
  await flow.pass(120_000);
  const before = [listMovedPaths(flow).length, (await flow.runs()).length];
  flow.remote.push = push;

  expect(before).toEqual([0, 0]);
  await expectEverythingOnce(flow);
});
