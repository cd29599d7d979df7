import { expect, test } from "vitest";

import { countOn, file, makeShop, openShop, settingsOf } from "../shop.ts";

const pay = (percent: number) => `shop-[ab]:\n  old: ${100 - percent}\n  new: ${percent}\n`;

/** Walks 910016, 910035 and 910017: taking a way back back moved workloads forward under a person's pause. */
test("2.4 rollback --now of a run that lowered a share moves nothing, and says that it would go forward", async () => {
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

test("2.4 the same from the bus alone, while the ledger takes no push", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const lowered = flow.whenMerged(file(20)).slice(0, 12);
  await flow.untilRunsEnd(2);
  const before = countOn(flow, "old");
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(1000);
  flow.pushesRefused = "the server is read-only";
  await flow.whenAsked({ verb: "rollback", scope: `run/${lowered}`, now: true });
  await flow.pass(120_000);

  expect(countOn(flow, "old")).toBe(before);
  await flow.end();
});

/** Walk 5000658: the ledger knew nothing yet of the commit that took the bucket away, and the rollback went to before that. */
test("2.4 rollback --now to what main rolled back from since moves nothing, though no run says so yet", async () => {
  const flow = await openShop();
  await flow.whenAsked({ verb: "stop", scope: "all" });
  flow.whenMerged(`${file(0)}${pay(90)}`);
  await flow.pass(30_000);
  const raised = flow.whenMerged(`${file(0)}${pay(100)}`).slice(0, 12);
  await flow.pass(30_000);
  flow.pushesRefused = "the server is read-only";
  flow.whenMerged(file(0));
  await flow.pass(30_000);
  await flow.whenAsked({ verb: "rollback", scope: `run/${raised}`, now: true });
  await flow.pass(120_000);

  expect((await flow.runs()).map(({ order }) => order)).toEqual([1, 2]);
  expect(countOn(flow, "new")).toBe(0);
  await flow.end();
});

test("2.1 a merge that raises again what was lowered waits for a pause of everything", async () => {
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

test("2.1 a merge that raises again what was lowered waits for the end of a freeze", async () => {
  const freeze = "  freezes: [{ reason: sale, from: 2026-01-01T00:06:00Z, to: 2026-01-01T00:09:00Z }]\n";
  const flow = await openShop({ settings: settingsOf("batchSize: 2", freeze) });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(20));
  await flow.untilRunsEnd(2);
  const before = countOn(flow, "old");
  await flow.pass(Date.parse("2026-01-01T00:06:05Z") - flow.clock.now());
  flow.whenMerged(file(100));
  await flow.pass(120_000);
  const during = countOn(flow, "old");
  const waits = (await flow.status())?.waitingFor.map(({ code }) => code);
  await flow.pass(Date.parse("2026-01-01T00:09:00Z") - flow.clock.now());
  await flow.untilRunsEnd(3);

  expect(before).toBeGreaterThan(3);
  expect([during, waits, countOn(flow, "new")]).toEqual([before, ["Frozen"], 6]);
  await flow.end();
});

test("2.4 rollback --now of a run that took a new bucket back moves nothing under a pause of its cluster", async () => {
  const flow = await openShop();
  flow.whenMerged(`${file(0)}${pay(100)}`);
  await flow.untilRunsEnd(1);
  const lowered = flow.whenMerged(`${file(0)}${pay(0)}`).slice(0, 12);
  await flow.untilRunsEnd(2);
  await flow.whenAsked({ verb: "stop", scope: "cluster/one" });
  await flow.pass(1000);
  await flow.whenAsked({ verb: "rollback", scope: `run/${lowered}`, now: true });
  await flow.pass(120_000);

  expect(countOn(flow, "old")).toBe(6);
  await flow.end();
});

// Walk 1000097: what a bucket of its own had rolled back went forward when that bucket went, as a rollback.
test("2.3 a bucket that goes takes nothing forward under a pause, whatever its own list says", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.whenMerged(`${file(100)}${pay(0)}`);
  await flow.untilRunsEnd(2);
  const before = countOn(flow, "old");
  await flow.whenAsked({ verb: "stop", scope: "cluster/one" });
  await flow.pass(1000);
  flow.whenMerged(file(100));
  await flow.pass(120_000);
  const during = countOn(flow, "old");
  await flow.whenAsked({ verb: "resume", scope: "cluster/one" });
  await flow.pass(1000);
  await flow.whenAsked({ verb: "resume", scope: "bucket/shop-[ab]" });
  await flow.untilRunsEnd(3);

  expect([before, during, countOn(flow, "new")]).toEqual([2, 2, 6]);
  await flow.end();
});

test("2.4 a run that failed after it lowered a share takes nothing forward by itself", async () => {
  const rollback = "  rollback: { on: [maxFailures], mode: now }\n";
  const flow = await openShop({ settings: settingsOf("batchSize: 2, readinessTimeout: 60s", rollback) });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow
    .model("one")
    .breakWorkload(
      { namespace: "shop-c", kind: "Deployment", name: "web" },
      { how: "neverReady", whenRevision: "old" },
    );
  const lowered = flow.whenMerged(file(1)).slice(0, 12);
  await flow.pass(400_000);

  const stops = Object.values((await flow.ledger())?.stops ?? {}).map(({ scope, cause }) => `${scope} ${cause}`);
  expect(stops).toEqual([`run/${lowered} failures`]);
  await flow.end();
});

test("2.4 without --now its pull request waits for a person, is held by no rollback of its own, and goes forward when merged", async () => {
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
  const waits = (await flow.status())?.waitingFor.map(({ code }) => code);
  if (pull === undefined) throw new Error("it was merged by an unknown account");
  // One more than the rule asks for: the address of our commit has no account here.
  for (const author of ["ben", "cleo"]) github.review(pull.number, { author, state: "approved" });
  await flow.pass(61_000);
  const merged = await ana.merge(pull.number, pull.headSha);
  await flow.untilRunsEnd(3);

  expect(waits).toContain("RollbackForward");
  expect([merged.kind, countOn(flow, "new")]).toEqual(["merged", 6]);
  await flow.end();
});
