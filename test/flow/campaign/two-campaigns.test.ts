import type { FakeScm } from "#fakes/github";
import { createModel } from "#fakes/kube";
import type { CampaignStatus } from "#libs/plan";
import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { countOn, settingsOf, written } from "../shop.ts";

const minute = 60_000;
const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };

const fileOf = (shop: number, pay: number): string =>
  `production:\n  old: ${100 - shop}\n  new: ${shop}\npay-.*:\n  old: ${100 - pay}\n  new: ${pay}\n`;

/** A campaign that brings each of its buckets to `new` in two stages; `more` are further lines of `spec`. */
function printCampaign(name: string, buckets: readonly string[], more = ""): string {
  const set = (share: number): string => buckets.map((bucket) => `"${bucket}": ${share}`).join(", ");
  return (
    `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\n` +
    `spec:\n  target: new\n  replaces: [old]\n  owners: ["user:ana"]\n${more}  stages:\n` +
    `    - { name: half, set: { ${set(50)} } }\n    - { name: all, set: { ${set(100)} } }\n`
  );
}

interface TwoFlow {
  readonly flow: FleetFlow;
  readonly github: FakeScm;
  /** Branches of open pull requests. */
  readonly listOpen: () => Promise<readonly string[]>;
  readonly find: (campaign: string) => Promise<CampaignStatus | undefined>;
}

/** Shops in `production` and payments in `pay-.*`, with these campaigns on main. */
async function openTwo(campaigns: Readonly<Record<string, string>>, more = ""): Promise<TwoFlow> {
  const flow = new FleetFlow();
  const model = createModel({ clock: flow.clock });
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  const labels = { "istio.io/rev": "old" };
  for (const ns of ["shop-a", "shop-b", "shop-c", ..."abcdef".split("").map((name) => `pay-${name}`)])
    model.addDeployment({ ns, name: "web", replicas: 2, labels, readyMs: 5000 });
  flow.givenCluster("one", model).whenMerged(fileOf(0, 0), settingsOf("batchSize: 2", more));
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

const bake = "  bake: 4m\n";
const shops = ["a", "b", "c"];

test("1.5 one commit on the buckets of two campaigns is a run of both: both tell it, and neither proposes on top of it", async () => {
  const { flow, listOpen, find } = await openTwo(
    {
      "campaigns/pay.yml": printCampaign("pay", ["pay-.*"]),
      "campaigns/shop.yml": printCampaign("shop", ["production"]),
    },
    bake,
  );
  const id = flow.whenMerged(fileOf(50, 50)).slice(0, 12);
  await flow.until("it bakes", async () => (await flow.runs()).some((run) => run.bake !== undefined));
  await flow.pass(minute);
  const told = await Promise.all(["pay", "shop"].map(find));
  const during = await listOpen();
  const [run] = await flow.untilRunsEnd(1);
  await flow.pass(2 * minute);

  expect(run).toMatchObject({
    campaign: "pay",
    stage: "half",
    beside: [{ campaign: "shop", stage: "half", buckets: ["production"] }],
  });
  expect(told.map((status) => [status?.runs, status?.stage?.name, status?.stages[0]?.state])).toEqual([
    [[id], "half", "Baking"],
    [[id], "half", "Baking"],
  ]);
  expect(told.map((status) => status?.waitingFor.some(({ code }) => code === "Baking"))).toEqual([true, true]);
  expect(during).toEqual([]);
  expect(await listOpen()).toEqual(["meshroll/pay/all", "meshroll/shop/all"]);
  await flow.end();
});

test("1.5 a run of two campaigns moves nobody whom either leaves alone, nor while either is paused", async () => {
  const exclude = '  exclude: [{ pattern: "shop-.*", reason: audit }]\n';
  const { flow } = await openTwo({
    "campaigns/pay.yml": printCampaign("pay", ["pay-.*"]),
    "campaigns/shop.yml": printCampaign("shop", ["production"], exclude),
  });
  await flow.whenAsked({ verb: "stop", scope: "campaign/shop" });
  await flow.pass(2000);
  flow.whenMerged(fileOf(100, 100));
  await flow.pass(2 * minute);
  const paused = written(flow).length;
  await flow.whenAsked({ verb: "resume", scope: "campaign/shop" });
  const [run] = await flow.untilRunsEnd(1);
  await flow.pass(minute);

  expect(paused).toBe(0);
  expect(written(flow).filter((path) => path.startsWith("pay-")).length).toBe(6);
  expect(countOn(flow, "old", shops)).toBe(3);
  expect(run?.outcome?.skipped.map(({ reason }) => reason)).toEqual(
    shops.map(() => "Excluded: audit (campaigns/shop.yml)"),
  );
  // Both are through with it.
  const completed = flow.bus.messages.filter(({ subject }) => subject.endsWith("campaign.v1.completed"));
  expect(completed.length).toBe(2);
  await flow.end();
});

test("7.1 a freeze of either campaign holds a run of both", async () => {
  const freeze = '  freezes: [{ from: "2025-12-24T00:00:00Z", to: "2026-01-07T00:00:00Z", reason: peak }]\n';
  const { flow, find } = await openTwo({
    "campaigns/pay.yml": printCampaign("pay", ["pay-.*"]),
    "campaigns/shop.yml": printCampaign("shop", ["production"], freeze),
  });
  flow.whenMerged(fileOf(100, 100));
  await flow.pass(2 * minute);

  expect(written(flow).length).toBe(0);
  expect((await find("pay"))?.waitingFor.map(({ code }) => code)).toContain("Frozen");
  await flow.end();
});

test("10.3 the hold of a pull request that somebody closed binds who supersedes its campaign, until a person lifts it", async () => {
  const { flow, github, listOpen } = await openTwo({ "campaigns/first.yml": printCampaign("first", ["production"]) });
  await flow.until("it is proposed", async () => (await listOpen()).length === 1);
  const [pull] = await github.as("ana").listOpenPullRequests("main");
  github.closePullRequest(pull?.number ?? 0, "cleo");
  await flow.pass(minute);
  const successor = printCampaign("second", ["production"], "  supersedes: [first]\n");
  flow.whenCampaignMerged({ "campaigns/second.yml": successor });
  await flow.pass(2 * minute);
  const [during, waits] = [await listOpen(), (await flow.status())?.waitingFor ?? []];
  await flow.whenAsked({ verb: "resume", scope: "campaign/first" });
  await flow.pass(2 * minute);

  expect(during).toEqual([]);
  expect(waits.find(({ scope }) => scope === "campaign/second")).toMatchObject({ code: "StageHeld", owner: "cleo" });
  expect(await listOpen()).toEqual(["meshroll/second/half"]);
  await flow.end();
});

test("1.5 a campaign that supersedes through another one proposes nothing before the first one's run is proven", async () => {
  const { flow, listOpen } = await openTwo({ "campaigns/first.yml": printCampaign("first", ["production"]) }, bake);
  flow.whenMerged(fileOf(50, 0));
  await flow.until("it bakes", async () => (await flow.runs()).some((run) => run.bake !== undefined));
  flow.whenCampaignMerged({
    "campaigns/second.yml": printCampaign("second", ["production"], "  supersedes: [first]\n"),
    "campaigns/third.yml": printCampaign("third", ["pay-.*"], "  supersedes: [second]\n"),
  });
  await flow.pass(2 * minute);
  const during = await listOpen();
  await flow.untilRunsEnd(1);
  await flow.pass(2 * minute);

  expect([during, await listOpen()]).toEqual([[], ["meshroll/third/half"]]);
  await flow.end();
});
