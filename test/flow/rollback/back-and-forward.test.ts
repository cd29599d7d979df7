import { expect, test } from "vitest";

import { countOn, file, makeShop, openShop } from "../shop.ts";

/** Walks 910016, 910035 and 910017: the rollback of a rollback moved workloads forward under a person's pause. */
test("2.4 rollback --now of a run that lowered a share moves nothing and says that it would move forward", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const lowered = flow.whenMerged(file(20)).slice(0, 12);
  await flow.untilRunsEnd(2);
  const before = countOn(flow, "old");
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(1000);
  await flow.whenAsked({ id: "undo-1", verb: "rollback", scope: `run/${lowered}`, now: true });
  await flow.pass(120_000);

  expect(before).toBeGreaterThan(3);
  expect(countOn(flow, "old")).toBe(before);
  expect((await flow.ledger())?.requests["undo-1"]).toMatchObject({
    outcome: "refused",
    answer: expect.stringContaining("undoing it goes forward, and heeds stops, windows and approvals"),
  });
  await flow.end();
});

test("2.1 a merge that raises a lowered share again is forward, so it waits for a pause of everything", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(20));
  await flow.untilRunsEnd(2);
  const before = countOn(flow, "old");
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(1000);
  flow.whenMerged(file(100));
  await flow.pass(120_000);
  const during = countOn(flow, "old");
  await flow.whenAsked({ verb: "resume", scope: "all" });
  await flow.untilRunsEnd(3);

  expect([during, countOn(flow, "new")]).toEqual([before, 6]);
  await flow.end();
});

test("2.4 without --now its pull request waits for a person, is not held by its own rollback, and moves forward when merged", async () => {
  const flow = await makeShop();
  const github = flow.givenGithub({ requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] });
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const lowered = flow.whenMerged(file(20)).slice(0, 12);
  await flow.untilRunsEnd(2);
  await flow.whenAsked({ verb: "rollback", scope: `run/${lowered}` });
  const ana = github.as("ana");
  const find = async () => (await ana.listOpenPullRequests("main")).find(({ branch }) => branch.includes(lowered));
  await flow.until("it is proposed", async () => (await find()) !== undefined);
  await flow.pass(120_000);
  const pull = await find();
  const waits = (await flow.status())?.waiting.map(({ code }) => code);
  if (pull === undefined) throw new Error("it was merged by an unknown account");
  // One approval more than the rule demands, because the address of our commit belongs to no account here.
  for (const author of ["ben", "cleo"]) github.review(pull.number, { author, state: "approved" });
  await flow.pass(61_000);
  const merged = await ana.merge(pull.number, pull.headSha);
  await flow.untilRunsEnd(3);

  expect(waits).toContain("RollbackForward");
  expect([merged.kind, countOn(flow, "new")]).toEqual(["merged", 6]);
  await flow.end();
});
