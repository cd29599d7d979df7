import type { VirtualClock } from "#fakes/runtime";
import type { StopRecord } from "#libs/plan";
import type { Clock } from "#libs/runtime";
import { expect, test } from "vitest";

import { countOn, file, settingsOf } from "../shop.ts";
import { openStages, type StageFlow } from "./stage-bench.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

const [half, all] = ["meshroll/shop/half", "meshroll/shop/all"];

/** People's time goes faster by this, from now on; real time stays what it is. */
function makeFastClock(clock: VirtualClock, factor: number): Clock {
  const start = clock.now();
  return {
    now: () => start + (clock.now() - start) * factor,
    elapsed: () => clock.elapsed() * factor,
    monotonic: () => clock.monotonic(),
    sleep: async (ms, signal) => clock.sleepReal(ms / factor, signal),
    sleepReal: async (ms, signal) => clock.sleepReal(ms, signal),
  };
}

async function listStops({ flow }: StageFlow): Promise<readonly StopRecord[]> {
  return Object.values((await flow.ledger())?.stops ?? {}).toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

function readMain({ flow }: StageFlow): unknown {
  return flow.remote.commit(flow.remote.head("main") ?? "")?.tree.get("rollouts.yml");
}

test("1.5 a campaign opens its stages one after the other, the next one when the run of the one before is over", async () => {
  const bench = await openStages();
  const { flow, find, untilOpen, merge, listPulls } = bench;
  const first = await untilOpen(half);
  const before = await listPulls();
  const run = await merge(half);
  const during = countOn(flow, "new");
  const second = await untilOpen(all);
  await merge(all);
  await flow.pass(60_000);

  const title = "rollout(shop): production 0 → 50 % on new [1/2 half]";
  expect(first).toMatchObject({ title, author: "meshroll", labels: ["meshroll"] });
  expect(before).toEqual(["half open"]);
  expect(during).toBeGreaterThan(0);
  expect(during).toBeLessThan(6);
  expect(countOn(flow, "new")).toBe(6);
  expect(await listPulls()).toEqual(["half merged", "all merged"]);
  const record = (await flow.runs()).find(({ id }) => id === run);
  expect(record).toMatchObject({ campaign: "shop", stage: "half", list: (await find(half)).headSha });
  expect(second.createdAt).toBeGreaterThanOrEqual(Date.parse(record?.endedAt ?? ""));
  expect(record?.outcome?.differences).toEqual([]);
  expect(readMain(bench)).toBe(file(100));
  await flow.end();
});

test("10.3 closing a pull request places one hold of its closer; resumed, its stage comes again on branch -2", async () => {
  const bench = await openStages();
  const { flow, github, untilOpen, listPulls, waits } = bench;
  const { number } = await untilOpen(half);
  await flow.pass(31_000);
  github.closePullRequest(number, "cleo");
  await flow.pass(600_000);
  const [held, stops, waiting] = [await listPulls(), await listStops(bench), await waits()];
  await flow.killPlanner();
  await flow.startPlanner().pass(600_000);
  const after = await listPulls();
  await flow.whenAsked({ verb: "resume", scope: "campaign/shop", who: "ben" });
  await untilOpen(`${half}-2`);

  expect(held).toEqual(["half closed"]);
  expect(stops).toMatchObject([
    {
      id: `closed-${number}`,
      scope: "campaign/shop",
      strength: "propose",
      who: "cleo",
      cause: "closed",
      stage: "half",
    },
  ]);
  expect(waiting).toContain("StageHeld");
  expect(after).toEqual(["half closed"]);
  expect(await listPulls()).toEqual(["half closed", "half-2 open"]);
  expect(await listStops(bench)).toHaveLength(1);
  await bench.merge(`${half}-2`);
  expect((await untilOpen(all)).branch).toBe(all);
  await flow.end();
});

test("1.5 a percentage edited by hand is the campaign's run; the stage that it reached is closed without a hold", async () => {
  const bench = await openStages(campaignOf("  defaults: { batch: { batchSize: 1, delayBetweenBatches: 10s } }\n"));
  const { flow, untilOpen, listPulls } = bench;
  await untilOpen(half);
  flow.whenMerged(file(60), undefined, "cleo");
  const [run] = await flow.untilRunsEnd(1);
  const next = await untilOpen(all);
  await flow.pass(60_000);

  expect(run).toMatchObject({ campaign: "shop", stage: "half", author: "cleo" });
  expect(await listPulls()).toEqual(["half closed", "all open"]);
  expect(next.title).toBe("rollout(shop): production 60 → 100 % on new [2/2 all]");
  expect(await listStops(bench)).toEqual([]);
  const comments = await bench.github.as("ana").comments(1);
  expect(comments.map(({ body }) => body).join()).toContain("main has reached stage half without it");
  await flow.end();
});

test("1.5 a stage between is proposed by what main says now: a hand that goes half of its way makes the branch again", async () => {
  const bench = await openStages();
  const { flow, untilOpen, find, listPulls } = bench;
  const first = await untilOpen(half);
  await flow.pass(31_000);
  flow.whenMerged(file(30), undefined, "cleo");
  await flow.untilRunsEnd(1);
  await flow.pass(62_000);
  const second = await find(half);
  await bench.merge(half);

  expect(second.headSha).not.toBe(first.headSha);
  expect(second.number).toBe(first.number);
  expect(second.title).toBe("rollout(shop): production 30 → 50 % on new [1/2 half]");
  const between = (await flow.runs()).find(({ author }) => author === "cleo")?.commit;
  expect(flow.remote.commit(second.headSha)?.parents).toEqual([between]);
  expect(await listPulls()).toEqual(["half merged", "all open"]);
  expect(readMain(bench)).toBe(file(50));
  await flow.end();
});

test("1.5 a campaign that begins above its first stages skips them", async () => {
  const stages = [10, 30, 50, 100].map((share) => `    - { name: to-${share}, set: { production: ${share} } }\n`);
  const { flow, github } = await openStages(campaignOf("", stages.join("")), { percent: 40 });
  const find = async (name: string) => github.as("ana").findPullRequests(`meshroll/shop/${name}`);
  await flow.until("the third stage is proposed", async () => (await find("to-50")).length > 0);
  expect([...(await find("to-10")), ...(await find("to-30")), ...(await find("to-100"))]).toEqual([]);
  await flow.end();
});

test("1.6 an empty stage is never proposed: it is a wait that names the fix", async () => {
  const stages = "    - { name: tiny, set: { production: 1 } }\n    - { name: all, set: { production: 100 } }\n";
  const { flow, github, waits } = await openStages(campaignOf("", stages));
  await flow.pass(60_000);
  expect(await waits()).toEqual(["StageEmpty"]);
  expect(await github.as("ana").listOpenPullRequests("main")).toEqual([]);
  const wait = (await flow.status())?.waitingFor.find(({ code }) => code === "StageEmpty");
  expect(wait?.message).toContain(`raise its percentage in ${campaignFile}:`);
  await flow.end();
});

test("10.2 a person's commit on our branch is never lost nor overwritten: we stop touching it, and say who is waited for", async () => {
  const bench = await openStages();
  const { flow, untilOpen, listPulls, waits } = bench;
  await untilOpen(half);
  await flow.pass(31_000);
  const theirs = flow.remote.commitTo(half, {
    files: { "rollouts.yml": file(45) },
    author: "cleo",
    at: flow.clock.now(),
  });
  await flow.pass(120_000);
  flow.whenMerged(file(20), undefined, "ana");
  await flow.untilRunsEnd(1);
  await flow.pass(120_000);

  expect(flow.remote.head(half)).toBe(theirs);
  expect(await listPulls()).toEqual(["half open"]);
  expect(await waits()).toContain("StageTaken");
  const wait = (await flow.status())?.waitingFor.find(({ code }) => code === "StageTaken");
  expect(wait).toMatchObject({ owner: "cleo", command: `git push origin --delete ${half}` });
  expect((await flow.ledger())?.plans[theirs]).toBeUndefined();
  await flow.end();
});

test("1.5 a stage that merges itself does so after its notice, with no approval, and only a head that the ledger has", async () => {
  const stages =
    "    - { name: half, set: { production: 50 }, autoMerge: { notice: 10m } }\n    - { name: all, set: { production: 100 } }\n";
  const bench = await openStages(campaignOf("", stages));
  const { flow, untilOpen, find, waits } = bench;
  const pull = await untilOpen(half);
  await flow.pass(62_000);
  const checks = await bench.github.as("meshroll").findChecks(pull.headSha);
  await flow.pass(500_000);
  const [before, waiting] = [await find(half), await waits()];
  await flow.pass(90_000);
  const merged = await find(half);
  await untilOpen(all);

  expect(checks.map(({ name, state, title }) => [name, state, title])).toEqual([
    ["meshroll/plan", "success", expect.stringMatching(/namespaces move/u)],
    ["meshroll/approvals", "success", "none needed: stage half merges itself"],
  ]);
  expect([before.state, merged.state, merged.mergedBy]).toEqual(["open", "merged", "meshroll"]);
  expect(waiting).toEqual(["MergeNotice"]);
  expect((await flow.ledger())?.plans[merged.headSha]).toMatchObject({ campaign: "shop", stage: "half", branch: half });
  await flow.end();
});

async function pushOnto(who: string) {
  const stages = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 5m } }\n";
  const bench = await openStages(campaignOf("", stages));
  const { flow } = bench;
  await bench.untilOpen(half);
  await flow.pass(62_000);
  const change = { files: { "rollouts.yml": file(100) }, author: who, at: flow.clock.now() };
  const theirs = flow.remote.commitTo(half, change);
  await flow.pass(62_000);
  return { bench, flow, theirs, pull: await bench.find(half) };
}

test("10.2 what a person pushed to a branch that merges itself is never merged by us: it needs people, and is left alone", async () => {
  const { bench, flow, theirs, pull } = await pushOnto("cleo");
  await flow.pass(600_000);
  const [, approvals] = await bench.github.as("meshroll").findChecks(theirs);
  const title = "0 of 1 approvals; 0 of 2 in all, for its head is not meshroll's";
  expect([pull.headSha, approvals?.title, readMain(bench)]).toEqual([theirs, title, file(0)]);
  expect((await flow.ledger())?.plans[theirs]).toBeUndefined();
  await flow.end();
});

test("10.2 what a person pushed there under our name is no more ours: the branch is made again on main", async () => {
  const { bench, flow, theirs, pull } = await pushOnto("meshroll planner");
  // An account that may push may write any author: what counts is what its merge would do.
  expect(flow.remote.commit(pull.headSha)?.parents).toEqual([flow.remote.head("main")]);
  expect((await flow.ledger())?.plans[theirs]).toBeUndefined();
  expect(readMain(bench)).toBe(file(0));
  await flow.end();
});

test("2.2 after a rollback its stage waits for the hold to be ended, and comes again on branch -2", async () => {
  const bench = await openStages();
  const { flow, merge, untilOpen, listPulls } = bench;
  const run = await merge(half);
  await untilOpen(all);
  await flow.whenAsked({ verb: "rollback", scope: `run/${run}`, why: "INC-1" });
  await flow.untilRunsEnd(2);
  await flow.pass(120_000);
  const held = await listPulls();
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  await untilOpen(`${half}-2`);
  await merge(`${half}-2`);
  await untilOpen(all);

  expect(held).toEqual(["half merged", "all closed"]);
  expect(await listPulls()).toEqual(["half merged", "all closed", "half-2 merged", "all open"]);
  expect(await listStops(bench)).toHaveLength(2);
  await flow.end();
});

test("1.7 after a forced push nothing is proposed before a person resumes its stop", async () => {
  const bench = await openStages(campaignOf(), { settings: settingsOf("batchSize: 2") });
  const { flow, github, untilOpen, listPulls } = bench;
  await untilOpen(half);
  await flow.pass(31_000);
  const base = flow.remote.commit(flow.remote.head("main") ?? "")?.parents[0] ?? "";
  flow.remote.forceMain(base);
  flow.whenCampaignMerged({ [campaignFile]: campaignOf("", "    - { name: other, set: { production: 70 } }\n") });
  await flow.pass(300_000);
  const during = (await github.as("ana").findPullRequests("meshroll/shop/other")).length;
  await flow.whenAsked({ verb: "resume", scope: "all" });
  await untilOpen("meshroll/shop/other");
  expect(during).toBe(0);
  // The lines that main lost are a person's commits on that branch: it is that person's to close.
  expect(await listPulls()).toEqual(["half open"]);
  expect((await flow.status())?.waitingFor.find(({ scope }) => scope === "pull/1")?.command).toBe("gh pr close 1");
  await flow.end();
});

test("7.2 after a rollback's hold and a wipe of Redis and NATS nothing is proposed for ten days of the services' clock", async () => {
  const bench = await openStages();
  const { flow, github, merge, untilOpen, listPulls } = bench;
  const run = await merge(half);
  await flow.whenAsked({ verb: "rollback", scope: `run/${run}`, why: "INC-1" });
  await flow.untilRunsEnd(2);
  await flow.killPlanner();
  await flow.killExecutor();
  flow.bus.wipe();
  flow.queue.flush();
  const start = flow.clock.now();
  const fast = makeFastClock(flow.clock, 2000);
  const edits = github.edits.length;
  flow.startExecutor("act", 0, ["one"], fast).startPlanner(fast);
  await flow.until("ten days went by", () => fast.now() - start > 10 * 86_400_000);
  const during = [await listPulls(), github.edits.length - edits, await bench.waits()];
  await flow.killPlanner();
  await flow.startPlanner().pass(30_000);
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  await untilOpen(`${half}-2`);

  expect(during).toEqual([["half merged", "all closed"], 0, ["StageHeld"]]);
  await flow.end();
});
