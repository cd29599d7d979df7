import { expect, test } from "vitest";

import { file, lateMove, openShop, refOf, running, settingsOf, writeLate, listMovedPaths } from "../shop.ts";

test("4.3 facts are read again after git answered, so a pause that came meanwhile counts", async () => {
  const flow = await openShop();
  await flow.killExecutor();
  const commit = flow.whenMerged(file(100));
  await flow.until("a job waits", async () => (await flow.job()) === "waiting");
  // Main has a newer head, so the executor must ask git whether it contains the job's commit.
  flow.whenMerged(`${file(100)}# a comment\n`);
  await flow.pass(12_000);
  flow.startExecutor();
  flow.git.lagMs = 20_000;
  await flow.until("git hangs with that question", () => flow.git.questions.includes(commit), 60_000);
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(60_000);

  expect(listMovedPaths(flow)).toEqual([]);
  await flow.end();
});

test("4.3 a git that cannot start for a minute is named and waited for: the batch does not fail and no cluster is stopped", async () => {
  const flow = await openShop();
  await flow.killExecutor();
  flow.whenMerged(file(100));
  await flow.until("a job waits", async () => (await flow.job()) === "waiting");
  flow.whenMerged(`${file(100)}# a comment\n`);
  await flow.pass(12_000);
  flow.startExecutor();
  await flow.until("the job is in hand", async () => (await flow.job()) === "active");
  flow.git.broken = "spawn git ENOMEM";
  // A newer head, for which git has to be asked again.
  flow.whenMerged(`${file(100)}# another comment\n`);
  await flow.pass(60_000);
  const problems = (await flow.status())?.clusters[0]?.problems;
  flow.git.broken = undefined;
  const [run] = await flow.untilRunsEnd(1);

  expect([run?.state, run?.outcome?.migrated, Object.keys((await flow.ledger())?.stops ?? {})]).toEqual([
    "done",
    6,
    [],
  ]);
  expect(problems).toEqual([
    expect.stringContaining("spawn git ENOMEM"),
    // The batch in hand waits for the same git and is named separately.
    expect.stringContaining("a batch of run"),
  ]);
  await flow.end();
});

test("4.6 an undo that the API server refuses is tried again in growing pauses until it is done", async () => {
  const flow = await openShop({ names: ["a"], settings: settingsOf("batchSize: 1, readinessTimeout: 60s") });
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100));
  await flow.until("it moves", () => listMovedPaths(flow).length === 1);
  const policy = flow.model("one").faults.refuseWrites("shop-a");
  await flow.until("its undo is refused", () => policy.count() > 0, 120_000);
  await flow.pass(120_000);
  const [refused, problems] = [policy.count(), (await flow.status())?.clusters[0]?.problems];
  policy.end();
  await flow.until("it is put back", () => running(flow, refOf("a")).join() === "old", 90_000);

  // A refused undo is tried twice each time, because a refusal counts only after the server answered that it is ready.
  expect(refused).toBeLessThan(20);
  expect(problems).toEqual([expect.stringContaining("shop-a/Deployment/web cannot be put back: the API server says")]);
  await flow.end();
});

test("4.4 decisions older than five seconds are made again, so a pause stops the rest of a long list", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 6") });
  const run = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);
  const before = listMovedPaths(flow).length;
  // An executor that was away moved every workload late; the next one finds six patches to revert, one after the other.
  await flow.killExecutor();
  for (const name of ["a", "b", "c", "d", "e", "f"]) await writeLate(flow, refOf(name), lateMove(run));
  await flow.pass(30_000);
  const fix = flow.model("one").faults.delayAnswers(3000);
  flow.startExecutor();
  await flow.until("the first is reverted", () => listMovedPaths(flow).length === before + 7, 120_000);
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(30_000);
  fix();
  await flow.pass(30_000);

  // Up to two more within the five seconds, since they were decided together with the first.
  expect(listMovedPaths(flow).length - before).toBeLessThanOrEqual(6 + 3);
  await flow.end([/^demanded: /, /^stoppedStands: /, /^rollbackHolds: /, /^rolledBackAreBack: /]);
});
