import { expect, test } from "vitest";

import { listChanges, countOn, file, openShop, settingsOf, listMovedPaths } from "../shop.ts";

// Campaign walk 121 with 18 steps: a late patch that was reverted and later moved again was reported as a second restart.
test("2.4 rollback --now of a run that main already rolls back changes nothing; a later forward run moves each workload once", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 2") });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.until("one batch is back", () => countOn(flow, "old") === 2);
  // Executors hear of the rollback before a planner can say that main already wants it.
  await flow.killPlanner();
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.pass(5000);
  flow.startPlanner();
  const [, back] = await flow.untilRunsEnd(2);
  await flow.pass(60_000);
  const during = [countOn(flow, "old"), listMovedPaths(flow).length];
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(3);

  expect([during, back?.outcome?.migrated]).toEqual([[6, 12], 6]);
  expect([countOn(flow, "new"), listMovedPaths(flow).length]).toEqual([6, 18]);
  // Every undo is the rollback's; none was a revert of a late write.
  const marks = listChanges(flow.model("one")).map(({ body }) =>
    JSON.stringify(body).includes(`${back?.id ?? ""} old`),
  );
  expect(marks.filter(Boolean).length).toBe(6);
  await flow.end();
});
