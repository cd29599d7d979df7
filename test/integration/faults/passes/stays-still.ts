import { deepStrictEqual } from "node:assert/strict";

import type { Stage } from "./fault.ts";
import { wipeBroker } from "./lane.ts";
import { countOn, names } from "./shop.ts";

const tenDays = 10 * 86_400_000;

/** Nothing rolls any more. */
export async function untilSettled({ fleet }: Stage): Promise<void> {
  await fleet.until("nothing rolls", () => countOn(fleet, "old") + countOn(fleet, "new") === names.length);
}

/** Both stores forget everything and all processes restart; for them ten days have passed, for the brokers none. */
export async function loseEverythingForTenDays({ fleet, lane }: Stage): Promise<void> {
  await Promise.all([fleet.kill("planner"), fleet.kill("executor")]);
  await Promise.all([wipeBroker(lane.redis), wipeBroker(lane.nats)]);
  const env = { MESHROLL_SANDBOX_CLOCK: fleet.scaleAhead(tenDays) };
  fleet.startService("executor", { env });
  fleet.startService("planner", { env });
}

/** The planner has looked at a fresh cluster so often, by what it publishes: it had every occasion to move a workload. */
export async function untilLookedAround({ fleet }: Stage, reconciles = 4): Promise<void> {
  const seen = new Set<number>();
  await fleet.until("the planner looks around", async () => {
    const status = await fleet.status();
    if (status?.clusters[0]?.fresh === true && status.wroteAt !== undefined) seen.add(status.wroteAt);
    return seen.size >= reconciles;
  });
}

/** Nothing at all is written to workloads while `during` lasts and the planner looks around so often. */
export async function staysStill(stage: Stage, during: () => Promise<void>, reconciles = 4): Promise<void> {
  const before = stage.fleet.writes.length;
  await during();
  await untilLookedAround(stage, reconciles);
  const moved = stage.fleet.writes.slice(before).map(({ path }) => path);
  deepStrictEqual(moved, [], "written although everything is stopped");
}
