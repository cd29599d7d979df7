import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, settingsOf, type ShopOptions, listMovedPaths } from "../shop.ts";

type Restarted = "planner" | "executor";

async function restart(flow: FleetFlow, process: Restarted): Promise<void> {
  if (process === "planner") {
    await flow.killPlanner();
    flow.startPlanner();
  } else {
    await flow.killExecutor();
    flow.startExecutor();
  }
}

/** Kills the process and starts another one every `everyMs`, until the condition holds; returns how long that took, ms. */
export async function restartUntil(
  flow: FleetFlow,
  process: Restarted,
  everyMs: number,
  isTrue: () => Promise<boolean> | boolean,
): Promise<number> {
  const began = flow.clock.now();
  for (;;) {
    for (let passed = 0; passed < everyMs; passed += 1000) {
      if (await isTrue()) return flow.clock.now() - began;
      await flow.pass(1000);
    }
    if (flow.clock.now() > began + 3_600_000)
      throw new Error(`never: ${JSON.stringify(await flow.status(), undefined, 1)}`);
    await restart(flow, process);
  }
}

/** An interval for `restartUntil` in which no run of these tests is killed, ms. */
export const never = 3_600_000;

/** Plays a run with a process that is killed every `everyMs`; returns what the run leaves behind, and how long it took, ms. */
export async function playWithRestarts(process: Restarted, everyMs: number, batch: string, options: ShopOptions = {}) {
  const flow = await openShop({ settings: settingsOf(batch), ...options });
  flow.whenMerged(file(100));
  const isOver = async () => (await flow.runs()).some(({ state }) => state !== "open");
  const took = await restartUntil(flow, process, everyMs, isOver);
  const [run] = await flow.runs();
  const outcome = { state: run?.state, outcome: run?.outcome, writes: listMovedPaths(flow).toSorted() };
  await flow.end();
  return { took, outcome };
}
