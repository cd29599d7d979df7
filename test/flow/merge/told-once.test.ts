import { describe, expect, it } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop } from "../shop.ts";

/** Ids of the messages of this type that the bus stored. */
function listTold(flow: FleetFlow, type: string): readonly string[] {
  const events = flow.bus.messages.map(({ body }) => JSON.parse(body) as { type: string; id: string });
  return events.filter((event) => event.type === type).map(({ id }) => id);
}

async function openWithoutExecutor(): Promise<FleetFlow> {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.until("it moves", async () => (await flow.runs()).length === 1);
  await flow.killExecutor();
  await flow.until("people are told", () => listTold(flow, "cluster.v1.unreachable").length === 1, 300_000);
  return flow;
}

describe("the next planner knows what was announced", () => {
  it("a cluster that is still away is not announced again, and its return is announced once", async () => {
    const flow = await openWithoutExecutor();
    const waits = listTold(flow, "wait.v1.began");
    for (let kills = 0; kills < 3; kills += 1) {
      await flow.killPlanner();
      await flow.startPlanner().pass(40_000);
    }
    expect(listTold(flow, "cluster.v1.unreachable")).toHaveLength(1);
    expect(listTold(flow, "wait.v1.began")).toEqual(waits);
    expect(listTold(flow, "cluster.v1.seen")).toEqual([]);
    flow.startExecutor();
    await flow.untilRunsEnd(1);
    expect(listTold(flow, "cluster.v1.seen")).toHaveLength(1);
    await flow.end();
  });

  it("after a wipe of the bus the last hour's messages are published again, with the same ids", async () => {
    const flow = await openShop();
    flow.whenMerged(file(100));
    await flow.untilRunsEnd(1);
    await flow.pass(20_000);
    const before = [...listTold(flow, "run.v1.started"), ...listTold(flow, "run.v1.done")];
    flow.bus.wipe();
    await flow.until("it is told again", () => listTold(flow, "run.v1.done").length === 1, 60_000);
    expect([...listTold(flow, "run.v1.started"), ...listTold(flow, "run.v1.done")]).toEqual(before);
    expect(before).toHaveLength(2);
    await flow.end();
  });
});
