import { countEnded } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, settingsOf } from "../shop.ts";

const quick = settingsOf("batchSize: 2");

/** Main's file, with a bucket of its own for half of the shops. */
const twoBuckets = (rest: number, first: number): string =>
  `"shop-[abc]": { old: ${100 - first}, new: ${first} }\n${file(rest)}`;

/** A shop of six whose run to `new` has moved the first two; more of them roll. */
async function openHalfway(before = file(0), after = file(100)) {
  const flow = await openShop({ settings: quick, readyMs: 20_000 });
  if (before !== file(0)) {
    flow.whenMerged(before);
    await flow.untilRunsEnd(1);
  }
  const run = flow.whenMerged(after).slice(0, 12);
  await flow.until("the first batch is through", () => countOn(flow, "new") === 2);
  return { flow, run };
}

/** The record of a run, and what it counts once it has ended. */
async function readRun(flow: FleetFlow, run: string) {
  const record = (await flow.runs()).find(({ id }) => id === run);
  if (record === undefined) throw new Error(`the ledger has no run ${run}`);
  return { record, counts: countEnded(record) };
}

const undo = (id: string, run: string) => ({ id, verb: "rollback", scope: `run/${run}`, now: true }) as const;

test("a run that a rollback at once took back keeps the figures of the first request, whatever a second one or its end asks", async () => {
  const { flow, run } = await openHalfway();
  await flow.whenAsked(undo("undo-1", run));
  await flow.until("all are back", () => countOn(flow, "old") === 6);
  await flow.whenAsked(undo("undo-2", run));
  await flow.pass(20_000);
  await flow.whenAsked({ verb: "resume", scope: `run/${run}`, stops: ["undo-2"] });
  await flow.pass(20_000);
  flow.whenMerged(file(0));
  const [, back] = await flow.untilRunsEnd(2);
  const { record, counts } = await readRun(flow, run);

  expect(counts).toMatchObject({ workloads: 6, migrated: 2, skipped: 0, left: 4 });
  expect(record.outcome?.takenOverBy).toBe(back?.id);
  expect(record).not.toHaveProperty("taken");
  await flow.end();
});

test("a rollback at once that was cancelled leaves no figures: the run ends with its own", async () => {
  const { flow, run } = await openHalfway();
  await flow.whenAsked(undo("undo-1", run));
  await flow.pass(10_000);
  const during = (await readRun(flow, run)).record;
  await flow.whenAsked({ verb: "resume", scope: `run/${run}`, stops: ["undo-1"] });
  await flow.untilRunsEnd(1);
  const { record, counts } = await readRun(flow, run);

  expect(during.taken).toMatchObject([{ by: "undo-1", migrated: 2 }]);
  expect(counts).toMatchObject({ workloads: 6, migrated: 6, left: 0 });
  expect(record).not.toHaveProperty("taken");
  await flow.end();
});

test("a run that is rolled back bucket by bucket counts each part once", async () => {
  const { flow, run } = await openHalfway(twoBuckets(0, 0), twoBuckets(100, 100));
  flow.whenMerged(twoBuckets(100, 0));
  await flow.until("the first bucket's rollback has begun", async () => (await flow.runs()).length === 3);
  flow.whenMerged(twoBuckets(0, 0));
  await flow.untilRunsEnd(4);
  const { counts } = await readRun(flow, run);

  expect(counts?.workloads).toBe(6);
  expect(counts?.migrated).toBeGreaterThan(1);
  await flow.end();
});

test("a share that is raised while the run is open takes nothing from it", async () => {
  const { flow, run } = await openHalfway(file(0), file(50));
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(2);
  const [first, second] = await Promise.all(
    (await flow.runs()).map(async ({ id }) => (await readRun(flow, id)).counts),
  );

  expect((await readRun(flow, run)).record).not.toHaveProperty("taken");
  expect((first?.migrated ?? 0) + (second?.migrated ?? 0)).toBe(6);
  expect([first?.left, second?.left]).toEqual([0, 0]);
  await flow.end();
});

test("a run that a later merge took over is superseded, and keeps what it had done", async () => {
  const { flow, run } = await openHalfway();
  const later = flow.whenMerged("production:\n  old: 0\n  new: 0\n  newest: 100\n").slice(0, 12);
  await flow.until("its end is recorded", async () => (await readRun(flow, run)).record.state !== "open");
  const { record, counts } = await readRun(flow, run);

  expect(record.outcome?.takenOverBy).toBe(later);
  expect(counts).toMatchObject({ workloads: 6, skipped: 0 });
  expect(counts?.migrated).toBeGreaterThan(1);
  await flow.end();
});
