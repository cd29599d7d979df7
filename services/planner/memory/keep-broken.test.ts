import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { BusUnavailable } from "#libs/bus";
import { printBrokenBatches } from "#libs/events";
import type { BatchFacts } from "#libs/plan";
import { createSilentLogger } from "#test/flow/parts/silent-logger";
import { expect, test } from "vitest";

import { type BrokenMemory, noteBatch, readBroken } from "./broken-batches.ts";
import { createBrokenStore } from "./keep-broken.ts";

const run = "abcdefabcdef";
const makeBatch = (id: string, state: BatchFacts["state"], names: string): BatchFacts => ({
  id,
  run,
  commit: "c",
  state,
  workloads: names.split(" "),
  ...(state === "failed" ? { reason: "forbidden" } : {}),
});
const failed = (id: string, names = "a"): BatchFacts => makeBatch(id, "failed", names);
const active = (id: string, names = "a"): BatchFacts => makeBatch(id, "active", names);

/** A bus, and planners on it that are started one after the other, or one next to the other. */
function makeBench() {
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  /** `now` of the planners' machine: it can be set. */
  const machine = { ahead: 0 };
  const own = {
    now: () => clock.now() + machine.ahead,
    elapsed: () => clock.elapsed(),
    monotonic: () => clock.monotonic(),
  };

  function startPlanner() {
    const memory: BrokenMemory = new Map();
    const bucket = openFakeBus(server).bucket("status");
    const keeping = createBrokenStore({ memory, bucket, clock: own, log: createSilentLogger([]) });
    let before: BatchFacts | undefined;
    return {
      keeping,
      /** What one reconcile does with what the queue holds; the answer is what is decided on: how often, and the pause left, ms. */
      async reconcile(now: BatchFacts | undefined) {
        await keeping.recall("one", before, now);
        noteBatch(memory, "one", before, now, clock.elapsed());
        before = now;
        await keeping.save();
        const { broken } = readBroken(memory, "one", { now: own.now(), elapsed: clock.elapsed() });
        return broken === undefined
          ? undefined
          : { times: broken.times, pause: broken.until - own.now(), workloads: [...broken.workloads].join(" ") };
      },
    };
  }
  return { clock, server, machine, startPlanner };
}

test("2.3 a planner that starts waits for the rest of the pause, and doubles the next one", async () => {
  const { clock, startPlanner } = makeBench();
  const first = startPlanner();
  for (const batch of [failed("1"), active("2"), failed("2")]) await first.reconcile(batch);
  await clock.advance(4000);

  const second = startPlanner();

  expect(await second.reconcile(undefined)).toEqual({ times: 2, pause: 6000, workloads: "a" });
  await second.reconcile(active("3"));
  expect(await second.reconcile(failed("3"))).toEqual({ times: 3, pause: 20_000, workloads: "a" });
});

test("2.3 a batch that was counted before the kill, and is still in the queue, counts once", async () => {
  const { startPlanner } = makeBench();
  await startPlanner().reconcile(failed("1"));
  for (let kills = 0; kills < 5; kills += 1)
    expect(await startPlanner().reconcile(failed("1"))).toMatchObject({ times: 1, pause: 0 });
});

test("2.3 a batch that ended well while no planner was there is no failure of what it carried", async () => {
  const { startPlanner } = makeBench();
  const first = startPlanner();
  for (const batch of [failed("1", "a b"), active("2", "a b"), failed("2", "a b"), active("3", "b")])
    await first.reconcile(batch);

  expect(await startPlanner().reconcile(undefined)).toMatchObject({ times: 0, workloads: "a" });
});

test("2.3 ... nor where the next batch of its run is there already", async () => {
  const { startPlanner } = makeBench();
  const first = startPlanner();
  for (const batch of [failed("1", "a b"), active("2", "b")]) await first.reconcile(batch);

  expect(await startPlanner().reconcile(active("3", "a"))).toMatchObject({ times: 0, workloads: "a" });
});

test("2.3 a batch that broke while no planner was there counts with those before", async () => {
  const { startPlanner } = makeBench();
  const first = startPlanner();
  for (const batch of [failed("1"), active("2")]) await first.reconcile(batch);

  expect(await startPlanner().reconcile(failed("2"))).toEqual({ times: 2, pause: 10_000, workloads: "a" });
});

test("2.3 once all went well nothing is kept", async () => {
  const { startPlanner } = makeBench();
  const first = startPlanner();
  for (const batch of [failed("1"), active("2"), undefined]) await first.reconcile(batch);

  expect(await startPlanner().reconcile(undefined)).toBe(undefined);
});

test("2.3 of two planners the one that did not see the batch break, for the other dropped it, waits as well", async () => {
  const { startPlanner } = makeBench();
  const [sees, misses] = [startPlanner(), startPlanner()];
  for (const planner of [sees, misses]) for (const batch of [failed("1"), active("2")]) await planner.reconcile(batch);

  await sees.reconcile(failed("2"));

  expect(await misses.reconcile(undefined)).toEqual({ times: 2, pause: 10_000, workloads: "a" });
});

test("12.1 a clock that was set back by a day makes no pause longer, though the planner is killed each 3 s of it", async () => {
  const { clock, machine, startPlanner } = makeBench();
  const first = startPlanner();
  for (const batch of [failed("1"), active("2"), failed("2")]) await first.reconcile(batch);
  machine.ahead = -86_400_000;
  const pauses: (number | undefined)[] = [];
  for (let kills = 0; kills < 4; kills += 1) {
    pauses.push((await startPlanner().reconcile(undefined))?.pause);
    await clock.advance(3000);
  }
  expect(pauses).toEqual([10_000, 7000, 4000, 1000]);
});

test("a bus that was wiped has it again within 10 s of a pause; wiped and killed, it is tried once more at once", async () => {
  const { clock, server, startPlanner } = makeBench();
  const first = startPlanner();
  for (const batch of [failed("1"), active("2"), failed("2"), active("3"), failed("3")]) await first.reconcile(batch);
  server.wipe();
  expect(await startPlanner().reconcile(undefined)).toBe(undefined);
  await clock.advance(10_000);
  await first.reconcile(undefined);
  expect(await startPlanner().reconcile(undefined)).toMatchObject({ times: 3, pause: 10_000 });
});

test("a bus that is away is queried again at the next reconcile, and what this planner saw meanwhile counts", async () => {
  const { server, startPlanner } = makeBench();
  const planner = startPlanner();
  server.disconnect();
  await expect(planner.keeping.recall("one", undefined, undefined)).rejects.toThrow(BusUnavailable);
  server.connect();
  for (const batch of [failed("1"), active("2")]) await planner.reconcile(batch);
  server.disconnect();
  await expect(planner.reconcile(failed("2"))).rejects.toThrow(BusUnavailable);
  server.connect();
  expect(await planner.reconcile(failed("2"))).toEqual({ times: 2, pause: 10_000, workloads: "a" });
  expect(await startPlanner().reconcile(undefined)).toEqual({ times: 2, pause: 10_000, workloads: "a" });
});

test("2.3 another planner is believed three times in a row, and again once this one saw a batch break itself", async () => {
  const { server, startPlanner } = makeBench();
  const planner = startPlanner();
  const bucket = openFakeBus(server).bucket("status");
  const until = "2030-01-01T00:00:00.000Z";
  const forge = async (last: string) =>
    bucket.put("broken.one", printBrokenBatches({ run, times: 9, reason: "x", workloads: ["a"], until, last }));
  /** How often in a row the planner takes over what it is told of batches that it saw leave. */
  async function countBelieved(from: number): Promise<number> {
    let believed = 0;
    for (let at = from; at < from + 6; at += 1) {
      await planner.reconcile(active(`b${at}`));
      await forge(`b${at}`);
      if ((await planner.reconcile(undefined))?.times === 9) believed += 1;
      // It ended well after all.
      await planner.reconcile(active(`b${at}-2`));
      await planner.reconcile(undefined);
    }
    return believed;
  }

  const first = await countBelieved(0);
  await planner.reconcile(failed("own"));

  expect([first, await countBelieved(10)]).toEqual([3, 3]);
});

test("2.3 a record of another run says nothing of the batch that left", async () => {
  const { server, startPlanner } = makeBench();
  const planner = startPlanner();
  await planner.reconcile(active("1"));
  const record = { run: "fedcbafedcba", times: 9, reason: "x", workloads: ["a"], until: "2030-01-01T00:00:00.000Z" };
  await openFakeBus(server)
    .bucket("status")
    .put("broken.one", printBrokenBatches({ ...record, last: "1" }));

  expect(await planner.reconcile(undefined)).toBe(undefined);
});
