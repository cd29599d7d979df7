import type { FleetStatus } from "#libs/plan";
import { expect, test } from "vitest";

import { fileOfTwo, printCampaign } from "../campaign/stage-campaign.ts";
import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, makeClusters, nameShops, settingsOf, listMovedPaths } from "../shop.ts";

const minute = 60_000;
const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };
const shops = ["a", "b", "c", "d"];
const pays = ["a", "b", "c", "d"];

const shop = "campaigns/shop.yml";
const broken = `${printCampaign("shop", ["production"])}  windos: []\n`;

/** Shops in `production`, set by campaign shop, and payments in `pay-.*`, set by campaign pay; one workload at a time. */
async function openTwo(more = "", campaigns: Readonly<Record<string, string>> = {}): Promise<FleetFlow> {
  const flow = makeClusters(["one"], [...nameShops(shops), ...pays.map((name) => `pay-${name}`)]);
  flow.whenMerged(fileOfTwo(0, 0), settingsOf("batchSize: 1"));
  flow.whenCampaignMerged({
    [shop]: printCampaign("shop", ["production"], more),
    "campaigns/pay.yml": printCampaign("pay", ["pay-.*"]),
    ...campaigns,
  });
  await flow.givenBaseline();
  flow.givenGithub(protection);
  return flow.startExecutor().startPlanner().pass(30_000);
}

async function read(flow: FleetFlow): Promise<FleetStatus> {
  const status = await flow.status();
  if (status === undefined) throw new Error("no status is published");
  return status;
}

const countShops = (flow: FleetFlow): number => listMovedPaths(flow).filter((path) => path.startsWith("shop-")).length;
const countPays = (flow: FleetFlow): number => listMovedPaths(flow).filter((path) => path.startsWith("pay-")).length;

const held = {
  scope: "campaign/shop",
  strength: "move",
  cause: "unread",
  from: "main",
  command: "meshroll validate campaigns/shop.yml",
};

test("1.7 a campaign file that does not parse holds its open run, with file, line and column; the other campaign continues", async () => {
  const flow = await openTwo();
  flow.whenMerged(fileOfTwo(100, 0));
  await flow.until("the first shop is written", () => countShops(flow) === 1);
  flow.whenCampaignMerged({ [shop]: broken });
  await flow.pass(minute);
  const [before, status] = [countShops(flow), await read(flow)];
  flow.whenMerged(fileOfTwo(100, 100));
  await flow.until("all payments are there", () => countPays(flow) === 4);
  await flow.pass(minute);
  const after = countShops(flow);
  const runs = await flow.runs();
  flow.whenCampaignMerged({ [shop]: printCampaign("shop", ["production"]) });
  await flow.untilRunsEnd(2);

  expect(before).toBeLessThan(3);
  expect(after).toBe(before);
  expect(status.stops).toMatchObject([{ ...held, why: expect.stringMatching(/campaigns\/shop\.yml:11:3 /u) }]);
  expect(status.waiting.filter(({ code }) => code === "CampaignUnparsable")).toMatchObject([
    { scope: "campaign/shop", command: held.command, message: expect.stringMatching(/campaigns\/shop\.yml:11:3 /u) },
  ]);
  expect(runs.map(({ campaign, state }) => [campaign, state])).toEqual([
    ["shop", "open"],
    ["pay", "done"],
  ]);
  expect(countOn(flow, "new", shops)).toBe(4);
  await flow.end();
});

/** Restrictions in `spec` that would be lost if they ended with the file. */
const bonds = [
  {
    name: "its freeze",
    more: '  freezes: [{ from: "2025-12-24T00:00:00Z", to: "2026-01-07T00:00:00Z", reason: peak }]\n',
  },
  { name: "its waves", more: "  clusters: { order: [[elsewhere], [one]] }\n" },
];
test.each(bonds)(
  "1.7 $name still applies while its file does not parse: a commit on its bucket is its run, and waits",
  async ({ more }) => {
    const flow = await openTwo(more);
    flow.whenCampaignMerged({ [shop]: broken });
    await flow.pass(minute);
    flow.whenMerged(fileOfTwo(100, 0));
    await flow.pass(3 * minute);
    const [run] = await flow.runs();

    expect(run).toMatchObject({ campaign: "shop", state: "open" });
    expect(countShops(flow)).toBe(0);
    await flow.end();
  },
);

const brought = [
  { name: "breaks its campaign", steps: [{ [shop]: broken, "rollouts.yml": fileOfTwo(100, 0) }] },
  {
    name: "adds a campaign that does not parse",
    steps: [{ "campaigns/new.yml": "kind: [\n", "rollouts.yml": fileOfTwo(0, 100) }],
  },
  {
    name: "follows an unparsable one that also broke its campaign,",
    steps: [{ [shop]: broken, "rollouts.yml": "production: [\n" }, { "rollouts.yml": fileOfTwo(100, 0) }],
  },
];
test.each(brought)("1.7 a commit that $name and moves a bucket moves nothing", async ({ steps }) => {
  const flow = await openTwo();
  for (const files of steps) flow.remote.commitToMain({ files, author: "ana", at: flow.clock.now() });
  await flow.pass(3 * minute);
  const [run] = await flow.runs();

  expect([run?.state, listMovedPaths(flow).length]).toEqual(["open", 0]);
  await flow.end();
});

test("1.7 a run does not end while its campaign's gates and bake cannot be read", async () => {
  const flow = await openTwo("  defaults: { bake: 4m }\n");
  flow.whenMerged(fileOfTwo(50, 0));
  await flow.until("it bakes", async () => (await flow.runs()).some((run) => run.bake !== undefined));
  flow.whenCampaignMerged({ [shop]: broken });
  await flow.pass(20 * minute);
  const [during] = await flow.runs();
  flow.whenCampaignMerged({ [shop]: printCampaign("shop", ["production"], "  defaults: { bake: 4m }\n") });
  const [after] = await flow.untilRunsEnd(1);

  expect([during?.state, after?.state]).toEqual(["open", "done"]);
  await flow.end();
});

test("2.4 rollback --now and a merged rollback of a run undo it while its campaign's file does not parse", async () => {
  const flow = await openTwo();
  const id = flow.whenMerged(fileOfTwo(100, 0)).slice(0, 12);
  await flow.until("two shops are there", () => countOn(flow, "new", shops) >= 2);
  flow.whenCampaignMerged({ [shop]: broken });
  await flow.pass(minute);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old", shops) === 4);
  flow.whenMerged(fileOfTwo(0, 0));
  const runs = await flow.untilRunsEnd(2);

  expect(runs.map(({ state }) => state)).toEqual(["done", "done"]);
  expect(countOn(flow, "old", shops)).toBe(4);
  await flow.end();
});
