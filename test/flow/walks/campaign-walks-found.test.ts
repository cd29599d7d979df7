import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeClusters, nameShops, settingsOf } from "../shop.ts";
import { openStages } from "../campaign/stage-bench.ts";
import { campaignFile, campaignOf } from "../campaign/stage-campaign.ts";

const half = "meshroll/shop/half";
const minute = 60_000;

test("1.5 a stage that is proposed again with the same head gives its notice again before it merges itself", async () => {
  const stages = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 10m } }\n";
  const campaign = campaignOf("", stages);
  const { flow, untilOpen, find } = await openStages(campaign);
  const first = await untilOpen(half);
  await flow.pass(2 * minute);
  flow.whenCampaignMerged({ [campaignFile]: null });
  await flow.pass(20 * minute);
  const closed = await find(half);
  flow.whenCampaignMerged({ [campaignFile]: campaign });
  const again = await untilOpen(half);
  await flow.pass(9 * minute);
  const during = (await find(half)).state;
  await flow.pass(3 * minute);

  expect([closed.number, closed.state]).toEqual([first.number, "closed"]);
  expect(again.number).not.toBe(first.number);
  // Each pull request has its own head, and with it its own list and write budget.
  expect(again.headSha).not.toBe(first.headSha);
  expect([during, (await find(half)).state]).toEqual(["open", "merged"]);
  await flow.end();
});

/** Clusters `one` and `two` in two waves, with a campaign on main. */
async function openTwo(more: string, stages: string, prometheus?: () => number): Promise<FleetFlow> {
  const flow = makeClusters(["one", "two"], nameShops(["a", "b", "c"]));
  flow.whenMerged(file(0), settingsOf("batchSize: 1"));
  flow.whenCampaignMerged({ [campaignFile]: campaignOf(more, stages) });
  await flow.givenBaseline();
  if (prometheus !== undefined) flow.prometheus = { query: async () => ({ kind: "value", value: prometheus() }) };
  for (const name of ["one", "two"]) flow.startExecutor("act", 0, [name]);
  return flow.startPlanner().pass(30_000);
}

const twoStages = "    - { name: half, set: { production: 50 } }\n    - { name: all, set: { production: 100 } }\n";

test("6.1 the order of waves is kept when a run begins just after the bus was wiped: the ledger knows the clusters", async () => {
  const flow = await openTwo("  clusters: { order: [[one], [two]] }\n", twoStages);
  flow.whenMerged(file(50));
  await flow.untilRunsEnd(1);
  await flow.killPlanner();
  await flow.killExecutor();
  flow.bus.wipe();
  flow.whenMerged(file(100));
  await flow.startPlanner().pass(5000);
  for (const name of ["two", "one"]) flow.startExecutor("act", 0, [name]);
  const [, run] = await flow.untilRunsEnd(2);

  const openedAt = (name: string): number => Date.parse(run?.clusters[name]?.openedAt ?? "");
  expect(openedAt("two")).toBeGreaterThan(openedAt("one"));
  await flow.end();
});

test("6.3 a gate that fails while the next wave waits stops the run then, not when the wave would open", async () => {
  const gate =
    "  defaults:\n    gates: [{ name: errors, when: during, onFail: pause, onNoData: pass, " +
    "prometheus: { query: errors, max: 0.1, interval: 30s } }]\n";
  let value = 0;
  const order = "  clusters: { order: [[one], [two]], delayBetweenWaves: 2h }\n";
  const flow = await openTwo(`${order}${gate}`, twoStages, () => value);
  flow.whenMerged(file(100));
  await flow.until("the first wave is through", () => countOn(flow, "new", ["a", "b", "c"]) === 3);
  await flow.pass(2 * minute);
  value = 1;
  await flow.pass(5 * minute);

  const stops = Object.values((await flow.ledger())?.stops ?? {});
  expect(stops.map(({ cause, gate: name }) => [cause, name])).toEqual([["gate", "errors"]]);
  await flow.end();
});

test("10.3 a stage continues after its second pull request was closed, although its first one's merge was lost with main", async () => {
  const { flow, github, find, untilOpen } = await openStages();
  const base = flow.remote.head("main") ?? "";
  const first = await untilOpen(half);
  await flow.pass(31_000);
  github.review(first.number, { author: "ben", state: "approved" });
  await flow.pass(31_000);
  await flow.killPlanner();
  const merged = await github.as("ana").merge(first.number, (await find(half)).headSha);
  flow.remote.forceMain(base);
  flow.startPlanner();
  const second = await untilOpen("meshroll/shop/half-2");
  github.closePullRequest(second.number, "cleo");
  await flow.pass(minute);
  await flow.whenAsked({ verb: "resume", scope: "campaign/shop" });
  const third = await untilOpen("meshroll/shop/half-3");

  expect(merged.kind).toBe("merged");
  expect(third.number).toBeGreaterThan(second.number);
  await flow.end();
});
