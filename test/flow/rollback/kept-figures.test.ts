import { countEnded } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, settingsOf } from "../shop.ts";

const quick = settingsOf("batchSize: 2");

/** A shop of six whose run to `new` has moved the first two; more of them roll. */
async function openHalfway(): Promise<{ readonly flow: FleetFlow; readonly run: string }> {
  const flow = await openShop({ settings: quick, readyMs: 20_000 });
  const run = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("the first batch is through", () => countOn(flow, "new") === 2);
  return { flow, run };
}

/** The record of a run, and what it counts once it has ended. */
async function readEnd(flow: FleetFlow, run: string) {
  const record = (await flow.runs()).find(({ id }) => id === run);
  if (record === undefined) throw new Error(`the ledger has no run ${run}`);
  return { record, counts: countEnded(record) };
}

test("a run that a rollback at once took back keeps the figures of the request, though its workloads moved back under its id", async () => {
  const { flow, run } = await openHalfway();
  await flow.whenAsked({ id: "undo-1", verb: "rollback", scope: `run/${run}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old") === 6);
  flow.whenMerged(file(0));
  const [, back] = await flow.untilRunsEnd(2);
  const { record, counts } = await readEnd(flow, run);

  expect(counts).toMatchObject({ workloads: 6, migrated: 2, skipped: 0, left: 4 });
  expect(record.outcome?.takenOverBy).toBe(back?.id);
  expect(record).not.toHaveProperty("atTakeover");
  await flow.end();
});

test("a rollback that was cancelled leaves no figures: the run ends with its own", async () => {
  const { flow, run } = await openHalfway();
  await flow.whenAsked({ id: "undo-1", verb: "rollback", scope: `run/${run}` });
  await flow.pass(30_000);
  const during = (await readEnd(flow, run)).record;
  await flow.whenAsked({ verb: "resume", scope: `run/${run}`, stops: ["undo-1"] });
  await flow.untilRunsEnd(1);
  const { record, counts } = await readEnd(flow, run);

  expect(during.atTakeover?.migrated).toBeGreaterThan(1);
  expect(counts).toMatchObject({ workloads: 6, migrated: 6, left: 0 });
  expect(record).not.toHaveProperty("atTakeover");
  await flow.end();
});

test("a run that a later merge took over is superseded, and keeps what it had done", async () => {
  const { flow, run } = await openHalfway();
  const later = flow.whenMerged("production:\n  old: 0\n  new: 0\n  newest: 100\n").slice(0, 12);
  await flow.until("its end is recorded", async () => (await readEnd(flow, run)).record.state !== "open");
  const { record, counts } = await readEnd(flow, run);

  expect(record.outcome?.takenOverBy).toBe(later);
  expect(counts).toMatchObject({ workloads: 6, skipped: 0 });
  expect(counts?.migrated).toBeGreaterThan(1);
  await flow.end();
});
