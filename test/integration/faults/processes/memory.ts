import { deepStrictEqual } from "node:assert/strict";

import { compileSpec } from "#libs/plan";

import type { Fault, Stage } from "../passes/fault.ts";
import { countOn, type EndState, file, names, readEnd, undisturbed } from "../passes/shop.ts";
import { loseEverythingForTenDays, staysStill, untilSettled } from "../passes/stays-still.ts";

/** What the ledger says is in force: scope and cause of each stop. */
async function listStops({ fleet }: Stage): Promise<readonly string[]> {
  const { stops } = await fleet.ledger();
  const state = Object.values(stops).filter(({ resume }) => resume === undefined);
  return state.map(({ scope, cause }) => `${scope} ${cause}`).toSorted();
}

async function untilStops(stage: Stage, want: readonly string[]): Promise<void> {
  const isMigrated = async () => (await listStops(stage)).join() === want.join();
  await stage.fleet.until(`these stops stand: ${want.join(", ")}`, isMigrated);
}

/** Those whom a file with so many percent puts on `new`. */
function answersOf(percent: number): Readonly<Record<string, string>> {
  const compiled = compileSpec("head", file(percent), undefined);
  if (!compiled.ok) throw new Error("the file does not parse");
  return Object.fromEntries(names.map((name) => [name, compiled.spec.resolver.resolve(`shop-${name}`).revision]));
}

async function rollBackAndRaiseAgain(stage: Stage): Promise<void> {
  const { fleet } = stage;
  const [run] = await fleet.runs();
  await fleet.request({ verb: "rollback", scope: `run/${run?.id ?? ""}`, now: true });
  await fleet.until("all are back", () => countOn(fleet, "old") === names.length);
  await fleet.merge({ "rollouts.yml": file(0) });
  await fleet.untilRunEnds(2);
  await fleet.merge({ "rollouts.yml": file(50) });
  await fleet.until("the planner knows of the third run", async () => (await fleet.runs()).length === 3);
  await untilStops(stage, ["bucket/production rolledBack"]);
}

/** After there and back, those whom 50 percent put on `new` are written once more. */
function addHalf({ writes }: EndState): EndState {
  const revisions = answersOf(50);
  const again = Object.entries(writes).map(([name, count]) => [name, count + (revisions[name] === "new" ? 1 : 0)]);
  return { revisions, writes: Object.fromEntries(again), runs: ["done", "done", "done"] };
}

/** Stops and holds outlive everything but git and the clusters. */
export const memoryFaults: readonly Fault[] = [
  {
    name: "wiped-while-paused",
    // Eight workloads are moved in seconds otherwise: the request has to come while batches are left.
    factor: 10,
    shows:
      "paused, then both stores wiped and ten days passed: nothing is written; resumed, the run ends as undisturbed",
    play: async (stage) => {
      const { fleet } = stage;
      await stage.open("well");
      await fleet.merge({ "rollouts.yml": file(100) });
      await stage.reachEarly();
      await fleet.request({ verb: "stop", scope: "all" });
      await untilStops(stage, ["all verb"]);
      await stage.untilNamed("Stopped");
      await untilSettled(stage);
      await staysStill(stage, async () => loseEverythingForTenDays(stage));
      deepStrictEqual(await listStops(stage), ["all verb"]);
      await fleet.request({ verb: "resume", scope: "all" });
      stage.fixed();
      await stage.endsAs(undisturbed.well);
    },
  },
  {
    name: "wiped-after-rollback",
    shows: "rolled back, raised again under the hold, both stores wiped and ten days passed: nothing is written",
    play: async (stage) => {
      const { fleet } = stage;
      await stage.open("well");
      await fleet.merge({ "rollouts.yml": file(100) });
      await stage.reach();
      await rollBackAndRaiseAgain(stage);
      const before = await readEnd(fleet);
      const uneven = Object.values(before.writes).filter((count) => count !== 0 && count !== 2);
      deepStrictEqual(uneven, [], "each workload went there and back, or stayed");
      await staysStill(stage, async () => loseEverythingForTenDays(stage));
      deepStrictEqual(await listStops(stage), ["bucket/production rolledBack"]);
      await fleet.request({ verb: "resume", scope: "bucket/production" });
      stage.fixed();
      await stage.endsAs(addHalf(before));
    },
  },
  {
    name: "kubectl-stop",
    shows: "everything of ours is dead, kubectl places its stop: nothing moves until kubectl removes it",
    play: async (stage) => {
      const { fleet, lane } = stage;
      await stage.open("well");
      await fleet.merge({ "rollouts.yml": file(100) });
      await stage.reachEarly();
      await Promise.all([fleet.kill("planner"), fleet.kill("executor"), lane.nats.kill(), lane.redis.kill()]);
      fleet.model.setConfigMap("meshroll-system", "meshroll-stop", {});
      await untilSettled(stage);
      await staysStill(stage, async () => {
        await Promise.all([lane.nats.start(), lane.redis.start()]);
        fleet.startService("executor");
        fleet.startService("planner");
        await stage.untilNamed("Stopped");
      });
      fleet.model.deleteConfigMap("meshroll-system", "meshroll-stop");
      stage.fixed();
      await stage.endsUndisturbed("well");
    },
  },
];
