import { nameRunKey, readRunReport } from "#libs/events";
import type { RunReport } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, makeClusters, nameShops, settingsOf } from "../shop.ts";

/** The report of the only run. */
async function readReport(flow: FleetFlow): Promise<RunReport> {
  const [run] = await flow.runs();
  const entry = run === undefined ? undefined : await flow.bucket("status").get(nameRunKey(run.id));
  const report = readRunReport(entry?.value ?? "");
  if (report === undefined) throw new Error("the run has no report");
  return report;
}

test("what a run did over time is on the bus until after its end, also over a restart of the planner", async () => {
  const flow = makeClusters(["one", "two"], nameShops(["a", "b", "c"]));
  flow.whenMerged(file(0), settingsOf("batchSize: 1"));
  await flow.givenBaseline();
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.pass(20_000);
  const before = await readReport(flow);
  await flow.stopPlanner();
  flow.startPlanner();
  await flow.untilRunsEnd(1);
  await flow.pass(20_000);

  const { record, now, series } = await readReport(flow);
  const { progress, batches, until } = series;
  expect([before.record.state, before.now?.workloads]).toEqual(["open", 6]);
  expect([record.state, record.counts?.migrated, now]).toEqual(["done", 6, undefined]);
  // The course begins before the restart, and ends with the run.
  expect(progress.points[0]).toEqual(before.series.progress.points[0]);
  expect(progress.points.at(-1)).toMatchObject({ migrated: 6, pending: 0, migrating: 0 });
  expect(until).toBeGreaterThanOrEqual(Date.parse(String(record.endedAt)));
  expect([...new Set(batches.map(({ cluster }) => cluster))].toSorted()).toEqual(["one", "two"]);
  expect(batches.some(({ open }) => open)).toBe(false);
  await flow.end();
});
