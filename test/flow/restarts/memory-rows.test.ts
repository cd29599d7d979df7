import { describe, expect, it } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { makeShop } from "../shop.ts";
import { executorRows, type MemoryRow, names, plannerRows } from "./memory-rows.ts";
import { describeLeft, type Left } from "./stories.ts";

const batch = "batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 30s, failurePolicy: ContinueOnError }";

type Restart = (flow: FleetFlow) => Promise<void>;

const kills = {
  async planner(flow) {
    flow.dropPlanner();
    await flow.startPlanner().pass(0);
  },
  async executor(flow) {
    flow.dropExecutor();
    await flow.startExecutor().pass(0);
  },
} satisfies Record<string, Restart>;

async function playRow({ settings = "", prepare, play }: MemoryRow, restart: Restart): Promise<Left> {
  const flow = await makeShop({ settings: `defaults:\n  ${batch}\n  ${settings}\n`, names, readyMs: 2000 });
  prepare?.(flow);
  await flow.startExecutor().startPlanner().pass(15_000);
  await play(flow, async () => restart(flow));
  await flow.untilRunsEnd(1);
  await flow.pass(5000);
  const left = await describeLeft(flow);
  await flow.end();
  return left;
}

const undisturbed: Restart = async () => undefined;

describe.each([
  { victim: "planner", rows: plannerRows },
  { victim: "executor", rows: executorRows },
] as const)("what the $victim forgets changes nothing", ({ victim, rows }) => {
  it.each(rows)("$value: the same ledger, writes and messages as undisturbed", async (row) => {
    const want = await playRow(row, undisturbed);
    expect(await playRow(row, kills[victim])).toEqual(want);
  });
});
