import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, makeShop, refOf, running, settingsOf } from "../shop.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

const minute = 60_000;
/** The bake of ten minutes, less the second in which the test may notice the move late. */
const wholeBake = 10 * minute - 1000;
const stages = "    - { name: all, set: { production: 100 }, bake: 10m }\n";

/** A run of all but `shop-a`, four minutes into its bake of ten; `end` merges the end of the exclusion. */
async function openBaking(): Promise<{ readonly flow: FleetFlow; readonly end: () => void }> {
  const flow = await makeShop({ settings: settingsOf("batchSize: 6") });
  flow.whenCampaignMerged({
    [campaignFile]: campaignOf('  exclude: [{ pattern: "shop-a", reason: "audit" }]\n', stages),
  });
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.until("it bakes", async () => (await flow.runs()).some(({ bake }) => bake !== undefined));
  await flow.pass(4 * minute);
  return { flow, end: () => void flow.whenCampaignMerged({ [campaignFile]: campaignOf("", stages) }) };
}

/** When the late workload ran the target, and when the run ended, virtual ms. */
async function readTimes(flow: FleetFlow): Promise<{ readonly movedAt: number; readonly endedAt: number }> {
  await flow.until("the late workload runs the target", () =>
    running(flow, refOf("a")).every((each) => each === "new"),
  );
  const movedAt = flow.clock.now();
  await flow.untilRunsEnd(1);
  const [run] = await flow.runs();
  return { movedAt, endedAt: Date.parse(run?.endedAt ?? "") };
}

describe("a workload that moves while its run bakes", () => {
  test("6.2 gets the whole bake, counted from its arrival", async () => {
    const { flow, end } = await openBaking();
    end();
    const { movedAt, endedAt } = await readTimes(flow);
    expect(endedAt - movedAt).toBeGreaterThanOrEqual(wholeBake);
    await flow.end();
  });

  test("6.2 gets it even if the planner is killed right after the move, before it has seen the move", async () => {
    const { flow, end } = await openBaking();
    end();
    await flow.until("it is written", () => running(flow, refOf("a")).includes("new"));
    await flow.killPlanner();
    await flow.pass(minute);
    const { movedAt, endedAt } = await readTimes(flow.startPlanner());
    expect(endedAt - movedAt).toBeGreaterThanOrEqual(wholeBake);
    await flow.end();
  });
});
