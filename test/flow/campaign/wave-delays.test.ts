import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, makeClusters, refOf, settingsOf } from "../shop.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

const minute = 60_000;
const labels = { "istio.io/rev": "old" };

/** Clusters `one` and `two` in two waves, two minutes apart. */
async function openWaves(): Promise<FleetFlow> {
  const flow = makeClusters(["one", "two"], ["shop-a"]);
  flow.whenMerged(file(0), settingsOf("batchSize: 1"));
  const order = "  clusters: { order: [[one], [two]], delayBetweenWaves: 2m }\n";
  flow.whenCampaignMerged({ [campaignFile]: campaignOf(order) });
  await flow.givenBaseline();
  for (const name of ["one", "two"]) flow.startExecutor("act", 0, [name]);
  return flow.startPlanner().pass(30_000);
}

const toMs = (time: string | undefined): number => Date.parse(time ?? "");

test("6.1 the delay to the next wave counts from the previous wave's real end, also when a workload joins that one late", async () => {
  const flow = await openWaves();
  const doneAt = async (): Promise<string | undefined> => (await flow.runs())[0]?.clusters["one"]?.doneAt;

  flow.whenMerged(file(100));
  await flow.until("the first wave is over", async () => (await doneAt()) !== undefined);
  const first = await doneAt();
  await flow.pass(minute);
  const late = flow.model("one").addDeployment({ ns: "shop-late", name: "web", replicas: 2, labels, readyMs: 40_000 });
  await flow.pass(15_000);
  const during = [await doneAt(), (await flow.status())?.waiting.map(({ code }) => code)];
  const [run] = await flow.untilRunsEnd(1);

  const end = toMs(run?.clusters["one"]?.doneAt);
  const lastReady = toMs(first) + minute + 40_000;
  expect(during).toEqual([undefined, ["WaveClosed"]]);
  expect(end).toBeGreaterThan(lastReady);
  expect(toMs(run?.clusters["two"]?.openedAt) - end).toBeGreaterThanOrEqual(2 * minute);
  expect([late, refOf("a")].map((ref) => flow.model("one").podsOf(ref)[0]?.revision)).toEqual(["new", "new"]);
  await flow.end();
});

test("a converge in a campaign's bucket waits for the campaign's waves and has no bake", async () => {
  const flow = await openWaves();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  for (const name of ["one", "two"]) flow.model(name).ownerApply(refOf("a"), { templateLabels: labels });
  await flow.pass(30_000);
  await flow.whenAsked({ verb: "converge", scope: "bucket/production" });
  const run = (await flow.untilRunsEnd(2)).find(({ converge }) => converge !== undefined);

  const { one, two } = run?.clusters ?? {};
  expect(run).toMatchObject({ state: "done", outcome: { migrated: 2 } });
  expect(run?.campaign).toBeDefined();
  expect(run?.bake).toBeUndefined();
  expect(toMs(two?.openedAt) - toMs(one?.doneAt)).toBeGreaterThanOrEqual(2 * minute);
  await flow.end();
});
