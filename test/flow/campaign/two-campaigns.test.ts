import type { FakeScm } from "#fakes/scm";
import { createModel } from "#fakes/kube";
import type { CampaignStatus } from "#libs/plan";
import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { forgeJob } from "../forging/forge-job.ts";
import { forgeLedger } from "../forging/forge-ledger.ts";
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

const shops = ["a", "b", "c"];
const listWaits = async (flow: FleetFlow) => (await flow.status())?.waitingFor ?? [];
const listStops = async (flow: FleetFlow) => Object.values((await flow.ledger())?.stops ?? {});
const both = {
  "campaigns/pay.yml": printCampaign("pay", ["pay-.*"]),
  "campaigns/shop.yml": printCampaign("shop", ["production"]),
};

test("1.5 one commit on the buckets of two campaigns moves nothing; it is named, neither proposes, and a rollback ends it", async () => {
  const { flow, listOpen, find } = await openTwo(both);
  const id = flow.whenMerged(fileOf(50, 100)).slice(0, 12);
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

  expect(written(flow)).toEqual([]);
  const command = `meshroll rollback run/${id} --reason "…"`;
  expect(status?.stops).toMatchObject([{ scope: `run/${id}`, cause: "severalCampaigns", from: "main", command }]);
  expect(status?.waitingFor.filter(({ code }) => code === "SeveralCampaigns")).toMatchObject([
    { command, owner: "ana", message: expect.stringContaining("changes buckets of campaigns pay and shop") },
  ]);
  const codes = told.map((each) => each?.waitingFor.find(({ code }) => code === "SeveralCampaigns")?.command);
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

test("1.5 a run of two campaigns goes on for its own one when main takes the other's bucket further back", async () => {
  const { flow } = await openTwo(both);
  flow.whenMerged(fileOf(50, 0));
  await flow.untilRunsEnd(1);
  const [first] = await flow.runs();
  const shared = flow.whenMerged(fileOf(100, 60)).slice(0, 12);
  await flow.pass(minute);
  const before = written(flow).filter((path) => path.startsWith("pay-")).length;
  await flow.whenAsked({ verb: "rollback", scope: `run/${first?.id ?? ""}`, now: true });
  await flow.untilRunsEnd(3);

  expect(before).toBe(0);
  expect((await flow.runs()).find(({ id }) => id === shared)?.state).toBe("done");
  expect(written(flow).filter((path) => path.startsWith("pay-")).length).toBeGreaterThan(0);
  expect(countOn(flow, "old", shops)).toBe(3);
  expect((await flow.status())?.waitingFor.filter(({ code }) => code === "SeveralCampaigns")).toEqual([]);
  await flow.end();
});

test("1.5 a rollback that goes forward for two campaigns is red: a person makes one pull request for each", async () => {
  const { flow, github } = await openTwo(both);
  flow.whenMerged(fileOf(50, 0));
  await flow.untilRunsEnd(1);
  flow.whenMerged(fileOf(50, 50));
  await flow.untilRunsEnd(2);
  const id = flow.whenMerged(fileOf(20, 30)).slice(0, 12);
  await flow.until("the run is open", async () => (await flow.runs()).length === 3);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}` });
  await flow.pass(2 * minute);
  const checks = await github.as("meshroll").findChecks(flow.remote.head(`meshroll/rollback/${id}`) ?? "");
  const waits = await listWaits(flow);
  for (const text of [fileOf(50, 30), fileOf(50, 50)]) {
    flow.whenMerged(text);
    await flow.pass(minute);
  }
  await flow.untilRunsEnd(5);
  const stops = await listStops(flow);

  expect(checks.find(({ name }) => name === "meshroll/plan")?.state).toBe("failure");
  expect(waits.find(({ code }) => code === "RollbackForward")?.scope).toBe(`run/${id}`);
  expect(stops.find(({ scope }) => scope === `run/${id}`)?.resume?.who).toBe("meshroll planner");
  await flow.end();
});

const exclude = '  exclude: [{ pattern: "shop-.*", reason: audit }]\n';
const freeze = '  freezes: [{ from: "2025-12-24T00:00:00Z", to: "2026-01-07T00:00:00Z", reason: peak }]\n';
const asked = [
  { name: "the second campaign is paused", verbs: [{ verb: "stop", scope: "campaign/shop" }] },
  {
    name: "the second campaign is paused and resumed",
    verbs: [
      { verb: "stop", scope: "campaign/shop" },
      { verb: "resume", scope: "campaign/shop" },
    ],
  },
  { name: "the first campaign is paused", verbs: [{ verb: "stop", scope: "campaign/pay" }] },
  { name: "the second campaign excludes the namespaces", more: exclude },
  { name: "the second campaign has a freeze", more: freeze },
  { name: "the run's own scope is resumed", verbs: [{ verb: "resume", scope: "run" }] },
  { name: "the run is retried", verbs: [{ verb: "retry", scope: "run" }] },
] as const;
test.each(asked)("1.5 a run of two campaigns moves nothing while $name", async (each) => {
  const more = "more" in each ? each.more : "";
  const { flow } = await openTwo({ ...both, "campaigns/shop.yml": printCampaign("shop", ["production"], more) });
  const id = flow.whenMerged(fileOf(100, 100)).slice(0, 12);
  await flow.until("the run is open", async () => (await flow.runs()).length === 1);
  for (const { verb, scope } of "verbs" in each ? each.verbs : []) {
    await flow.whenAsked({ verb, scope: scope === "run" ? `run/${id}` : scope });
    await flow.pass(2000);
  }
  await flow.pass(3 * minute);

  expect([written(flow), (await flow.runs())[0]?.state]).toEqual([[], "open"]);
  await flow.end();
});

test("1.5 a run of two campaigns uses the rules of the one that is left when the other one is finished", async () => {
  const { flow } = await openTwo({ ...both, "campaigns/pay.yml": printCampaign("pay", ["pay-.*"], exclude) });
  flow.whenMerged(fileOf(100, 100));
  await flow.pass(2 * minute);
  const before = written(flow).length;
  flow.whenCampaignMerged({ "campaigns/shop.yml": null });
  const [run] = await flow.untilRunsEnd(1);

  expect([before, run?.campaign]).toEqual([0, "pay"]);
  expect(written(flow).filter((path) => path.startsWith("pay-")).length).toBe(6);
  expect(countOn(flow, "old", shops)).toBe(3);
  await flow.end();
});

/** What a pusher to the ledger may write into the run's record. */
const forgeries = [
  { name: "whose wave is open in the ledger", campaign: { campaign: "pay", stage: "all" } },
  { name: "that the ledger gives to no campaign", campaign: {} },
  { name: "that the ledger gives to a third campaign", campaign: { campaign: "third", stage: "all" } },
];
test.each(forgeries)(
  "1.5 a job that another login puts into the queue for a run of two campaigns $name moves nothing",
  async (forged) => {
    const { flow } = await openTwo(both);
    const id = flow.whenMerged(fileOf(100, 100)).slice(0, 12);
    await flow.until("the run is open", async () => (await flow.runs()).length === 1);
    await flow.pass(minute);
    const openedAt = new Date(flow.clock.now()).toISOString();
    await forgeLedger(flow, ({ runs }) => {
      const record = runs[id];
      if (record === undefined) throw new Error(`there is no run ${id}`);
      const { campaign: _, stage: __, ...run } = record;
      const clusters = { one: { openedAt, unhealthyBefore: [] } };
      return { runs: { ...runs, [id]: { ...run, ...forged.campaign, clusters } } };
    });
    await flow.pass(minute);
    await forgeJob(flow);
    await flow.pass(minute);

    expect([written(flow), await flow.job()]).toEqual([[], undefined]);
    await flow.end();
  },
);
