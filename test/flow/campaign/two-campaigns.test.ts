import type { FakeScm } from "#fakes/scm";
import type { CampaignStatus } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { makeClusters, settingsOf, listMovedPaths } from "../shop.ts";
import { fileOfTwo, printCampaign } from "./stage-campaign.ts";

const minute = 60_000;
const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };

interface TwoFlow {
  readonly flow: FleetFlow;
  readonly github: FakeScm;
  /** Branches of open pull requests. */
  readonly listOpen: () => Promise<readonly string[]>;
  readonly find: (campaign: string) => Promise<CampaignStatus | undefined>;
}

/** Shops in `production` and payments in `pay-.*`, with these campaigns on main. */
async function openTwo(campaigns: Readonly<Record<string, string>>, more = ""): Promise<TwoFlow> {
  const pays = "abcdef".split("").map((name) => `pay-${name}`);
  const flow = makeClusters(["one"], ["shop-a", "shop-b", "shop-c", ...pays]);
  flow.whenMerged(fileOfTwo(0, 0), settingsOf("batchSize: 2", more));
  flow.whenCampaignMerged(campaigns);
  await flow.givenBaseline();
  const github = flow.givenGithub(protection);
  await flow.startExecutor().startPlanner().pass(30_000);
  return {
    flow,
    github,
    listOpen: async () => (await github.as("ana").listOpenPullRequests("main")).map(({ branch }) => branch).toSorted(),
    find: async (campaign) => (await flow.status())?.campaigns?.find(({ name }) => name === campaign),
  };
}

const both = {
  "campaigns/pay.yml": printCampaign("pay", ["pay-.*"]),
  "campaigns/shop.yml": printCampaign("shop", ["production"]),
};

test("1.5 a commit on buckets of two campaigns moves nothing and is named, neither campaign proposes, and a rollback ends it", async () => {
  const { flow, listOpen, find } = await openTwo(both);
  const id = flow.whenMerged(fileOfTwo(50, 100)).slice(0, 12);
  await flow.pass(5 * minute);
  const status = await flow.status();
  const told = await Promise.all(["pay", "shop"].map(find));
  const during = await listOpen();
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}` });
  await flow.until("main is rolled back", async () => (await flow.runs()).length === 2);
  await flow.untilRunsEnd(2);
  const holds = Object.values((await flow.ledger())?.stops ?? {}).filter(({ resume }) => resume === undefined);
  for (const { scope } of holds) {
    await flow.whenAsked({ verb: "resume", scope });
    await flow.pass(2000);
  }
  await flow.until("both propose", async () => (await listOpen()).length === 2);

  expect(listMovedPaths(flow)).toEqual([]);
  const command = `meshroll rollback run/${id} --reason "…"`;
  expect(status?.stops).toMatchObject([{ scope: `run/${id}`, cause: "severalCampaigns", from: "main", command }]);
  expect(status?.waiting.filter(({ code }) => code === "SeveralCampaigns")).toMatchObject([
    { command, owner: "ana", message: expect.stringContaining("changes buckets of campaigns pay and shop") },
  ]);
  const codes = told.map((each) => each?.waiting.find(({ code }) => code === "SeveralCampaigns")?.command);
  expect(codes).toEqual([command, command]);
  expect(told.map((each) => [each?.state, each?.stages[0]?.state])).toEqual([
    ["InProgress", "Completed"],
    ["InProgress", "Held"],
  ]);
  expect(during).toEqual([]);
  expect(holds.map(({ scope }) => scope).toSorted()).toEqual(["bucket/pay-.*", "bucket/production"]);
  expect(await listOpen()).toEqual(["meshroll/pay/half", "meshroll/shop/half"]);
  await flow.end();
});

const exclude = '  exclude: [{ pattern: "shop-.*", reason: audit }]\n';
const asked = [
  { name: "the second campaign is paused", verbs: [{ verb: "stop", scope: "campaign/shop" }] },
  { name: "the second campaign excludes the namespaces", more: exclude },
  { name: "the run's own scope is resumed", verbs: [{ verb: "resume", scope: "run" }] },
  { name: "the run is retried", verbs: [{ verb: "retry", scope: "run" }] },
] as const;
test.each(asked)("1.5 a run of two campaigns moves nothing while $name", async (each) => {
  const more = "more" in each ? each.more : "";
  const { flow } = await openTwo({ ...both, "campaigns/shop.yml": printCampaign("shop", ["production"], more) });
  const id = flow.whenMerged(fileOfTwo(100, 100)).slice(0, 12);
  await flow.until("the run is open", async () => (await flow.runs()).length === 1);
  for (const { verb, scope } of "verbs" in each ? each.verbs : []) {
    await flow.whenAsked({ verb, scope: scope === "run" ? `run/${id}` : scope });
    await flow.pass(2000);
  }
  await flow.pass(3 * minute);

  expect([listMovedPaths(flow), (await flow.runs())[0]?.state]).toEqual([[], "open"]);
  await flow.end();
});
