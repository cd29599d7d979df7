import { nameRunKey, readRunReport } from "#libs/events";
import type { RunReport } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, makeClusters, nameShops, settingsOf } from "../shop.ts";

async function readReports(flow: FleetFlow): Promise<readonly RunReport[]> {
  const runs = Object.values((await flow.ledger())?.runs ?? {}).toSorted((a, b) => a.order - b.order);
  const texts = await Promise.all(runs.map(async ({ id }) => flow.bucket("status").get(nameRunKey(id))));
  return texts.flatMap((entry) => readRunReport(entry?.value ?? "") ?? []);
}

test("what a run did over time is on the bus until after its end, also over a restart of the planner", async () => {
  const flow = makeClusters(["one", "two"], nameShops(["a", "b", "c"]));
  flow.whenMerged(file(0), settingsOf("batchSize: 1"));
  await flow.givenBaseline();
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.pass(20_000);
  const [before] = await readReports(flow);
  await flow.stopPlanner();
  flow.startPlanner();
  await flow.untilRunsEnd(1);
  await flow.pass(20_000);

  const [report] = await readReports(flow);
  const { progress, batches, until } = report?.series ?? {};
  expect([before?.record.state, before?.now?.workloads]).toEqual(["open", 6]);
  expect([report?.record.state, report?.record.counts?.migrated, report?.now]).toEqual(["done", 6, undefined]);
  // The course begins before the restart, and ends with the run.
  expect(progress?.points[0]).toEqual(before?.series.progress.points[0]);
  expect(progress?.points.at(-1)).toMatchObject({ migrated: 6, pending: 0, migrating: 0 });
  expect(until).toBeGreaterThanOrEqual(Date.parse(report?.record.endedAt ?? ""));
  expect([...new Set(batches?.map(({ cluster }) => cluster))].toSorted()).toEqual(["one", "two"]);
  expect(batches?.some(({ open }) => open)).toBe(false);
  await flow.end();
});
