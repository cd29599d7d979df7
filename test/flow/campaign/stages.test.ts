import type { StopRecord } from "#libs/plan";
import { expect, test } from "vitest";

import { countOn, file } from "../shop.ts";
import { openStages, type StageFlow } from "./stage-bench.ts";
import { campaignOf } from "./stage-campaign.ts";

const [half, all] = ["meshroll/shop/half", "meshroll/shop/all"];

async function listStops({ flow }: StageFlow): Promise<readonly StopRecord[]> {
  return Object.values((await flow.ledger())?.stops ?? {}).toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

function readMain({ flow }: StageFlow): unknown {
  return flow.remote.commit(flow.remote.head("main") ?? "")?.tree.get("rollouts.yml");
}

test("1.5 a campaign proposes its stages one after the other, each when the previous stage's run is over", async () => {
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

test("10.3 closing a pull request places one hold in the closer's name; after a resume its stage returns on branch -2", async () => {
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

test("1.5 a percentage edited by hand is the campaign's run; the pull request of the reached stage is closed without a hold", async () => {
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

test("10.2 a person's commit on our branch is never lost or overwritten: we stop writing to it, and say who has to act", async () => {
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
  const wait = (await flow.status())?.waiting.find(({ code }) => code === "StageTaken");
  expect(wait).toMatchObject({ owner: "cleo", command: `git push origin --delete ${half}` });
  expect((await flow.ledger())?.plans[theirs]).toBeUndefined();
  await flow.end();
});

test("1.5 an autoMerge stage merges after its notice, without an approval, and only a head that is in the ledger", async () => {
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

test("2.2 after a rollback the stage waits until the hold is ended, and is proposed again on branch -2", async () => {
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
