import { notStrictEqual, ok } from "node:assert/strict";

import type { FleetStatus } from "#libs/plan";

import type { Stage } from "../passes/fault.ts";
import { sentenceOf } from "#test/world/words";
import { staysStill, untilLookedAround, untilSettled } from "../passes/stays-still.ts";

const tenMinutes = 600_000;

/** Of the planner, by what it publishes: once in five seconds while nothing changes. */
export const reconciles = 2;

/** What `meshroll status` says of this cause of a standstill. */
export async function findWait({ fleet }: Stage, code: string): Promise<FleetStatus["waitingFor"][number] | undefined> {
  return (await fleet.status())?.waitingFor.find((each) => each.code === code);
}

/** From here on nothing is written to workloads: what rolls settles, ten minutes of the clock pass, both processes restart. */
export async function holdsAll(stage: Stage, code: string, said: readonly string[]): Promise<void> {
  const { fleet } = stage;
  await stage.untilNamed(code);
  const message = sentenceOf(await findWait(stage, code));
  for (const each of said) ok(message.includes(each), `status says ${JSON.stringify(message)}, and not ${each}`);
  await untilSettled(stage);
  await staysStill(
    stage,
    async () => {
      const from = fleet.clock.now();
      await fleet.until("ten minutes of the clock have passed", () => fleet.clock.now() >= from + tenMinutes);
      await Promise.all([fleet.kill("planner"), fleet.kill("executor")]);
      fleet.startService("executor");
      fleet.startService("planner");
      await untilLookedAround(stage, reconciles);
      notStrictEqual(await findWait(stage, code), undefined, "named after a restart, too");
    },
    reconciles,
  );
}
