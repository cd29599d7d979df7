import { expect, test } from "vitest";

import { countOn, settingsOf } from "../shop.ts";
import { openStages } from "./stage-bench.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

const [half, all] = ["meshroll/shop/half", "meshroll/shop/all"];

test("10.3 two planners make one pull request, one record of it and one hold", async () => {
  const bench = await openStages();
  const { flow, github, untilOpen, listPulls } = bench;
  flow.startPlanner();
  const { number } = await untilOpen(half);
  await flow.pass(62_000);
  const plans = Object.keys((await flow.ledger())?.plans ?? {});
  github.closePullRequest(number, "cleo");
  await flow.pass(120_000);

  expect(plans).toHaveLength(1);
  expect(await listPulls()).toEqual(["half closed"]);
  expect(Object.keys((await flow.ledger())?.stops ?? {})).toEqual([`closed-${number}`]);
  await flow.end();
});

test("10.2 whom the campaign excludes is on no list, is named as a risk, and is no difference when the run is done", async () => {
  const exclude = '  exclude: [{ pattern: "shop-[a-c]", reason: "audit" }]\n';
  const stages = "    - { name: all, set: { production: 100 } }\n";
  const { flow, github, untilOpen, merge } = await openStages(campaignOf(exclude, stages));
  const { number, headSha } = await untilOpen(all);
  await flow.pass(31_000);
  const list = (await flow.ledger())?.plans[headSha]?.list ?? "";
  const run = await merge(all);

  expect(list.split("\n").map((line) => line.split("\t")[0])).toEqual(["shop-d", "shop-e", "shop-f", ""]);
  expect(github.readText(number).body).toContain("`one:shop-a/Deployment/web`: stays skipped: Excluded: audit");
  expect(countOn(flow, "new", ["a", "b", "c"])).toBe(0);
  expect(countOn(flow, "new", ["d", "e", "f"])).toBe(3);
  expect((await flow.runs()).find(({ id }) => id === run)?.outcome?.differences).toEqual([]);
  await flow.end();
});

test("10.2 a namespace that comes after the list was recorded moves too, and is named as late", async () => {
  const stages = "    - { name: all, set: { production: 100 } }\n";
  const { flow, untilOpen, merge } = await openStages(campaignOf("", stages));
  await untilOpen(all);
  await flow.pass(31_000);
  const labels = { "istio.io/rev": "old" };
  flow.model("one").addDeployment({ ns: "shop-late", name: "web", replicas: 2, labels, readyMs: 5000 });
  const run = await merge(all);
  expect(countOn(flow, "new", ["a", "b", "c", "d", "e", "f", "late"])).toBe(7);
  expect((await flow.runs()).find(({ id }) => id === run)?.outcome?.differences).toEqual([
    { cluster: "one", workload: "shop-late/Deployment/web", why: "late" },
  ]);
  await flow.end();
});

test("1.5 a campaign that is edited while its stage is open gets a new head that says what it says now", async () => {
  const { flow, github, untilOpen, find } = await openStages();
  const first = await untilOpen(half);
  await flow.pass(31_000);
  const stages = "    - { name: half, set: { production: 70 } }\n    - { name: all, set: { production: 100 } }\n";
  flow.whenCampaignMerged({ [campaignFile]: campaignOf("", stages) });
  await flow.pass(93_000);
  const second = await find(half);
  expect([second.number, second.state]).toEqual([first.number, "open"]);
  expect(second.headSha).not.toBe(first.headSha);
  expect(github.readText(second.number).title).toBe("rollout(shop): production 0 → 70 % on new [1/2 half]");
  expect((await flow.ledger())?.plans[second.headSha]?.changes).toMatchObject([{ to: '[["new",70],["old",30]]' }]);
  await flow.end();
});

test("1.5 a new campaign for a bucket comes after the old one is finished, whose pull request is closed without a hold", async () => {
  const { flow, untilOpen, listPulls, github } = await openStages();
  await untilOpen(half);
  await flow.pass(31_000);
  const next = campaignOf().replace("name: shop }", "name: next }");
  flow.whenCampaignMerged({ "campaigns/next.yml": next });
  await flow.pass(93_000);
  const waits = (await flow.status())?.waitingFor.filter(({ code }) => code === "CampaignUnparsable");
  const during = await github.as("ana").findPullRequests("meshroll/next/half");
  flow.whenCampaignMerged({ "campaigns/done/shop.yml": campaignOf(), [campaignFile]: null });
  await flow.until("the next campaign proposes", async () => {
    return (await github.as("ana").findPullRequests("meshroll/next/half")).length > 0;
  });
  await flow.pass(31_000);

  expect(waits?.map(({ scope, message }) => [scope, message])).toEqual([
    [
      "campaign/next",
      expect.stringMatching(/campaigns\/shop\.yml:\d+:\d+ `production` is set at campaigns\/next\.yml:\d+:\d+ too/u),
    ],
    ["campaign/shop", expect.stringMatching(/`production` is set at campaigns\/next\.yml:\d+:\d+ too/u)],
  ]);
  expect(during).toEqual([]);
  expect(await listPulls()).toEqual(["half closed"]);
  expect((await flow.ledger())?.stops).toEqual({});
  await flow.end();
});

test("1.5 while GitHub is down nothing is proposed or lost, and afterwards all goes on by itself", async () => {
  const { flow, github, merge, untilOpen, listPulls } = await openStages(campaignOf(), {
    settings: settingsOf("batchSize: 6"),
  });
  await merge(half);
  github.setUnavailable(true);
  await flow.pass(300_000);
  const waits = (await flow.status())?.waitingFor.map(({ code }) => code);
  github.setUnavailable(false);
  await untilOpen(all);
  expect(waits).toContain("GitHubUnavailable");
  expect(await listPulls()).toEqual(["half merged", "all open"]);
  await flow.end();
});
