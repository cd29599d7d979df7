import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";

import { takeOther } from "../../fleet/fleet-brokers.ts";
import { RealFleet } from "../../fleet/real-fleet.ts";
import type { Fault, Stage } from "../passes/fault.ts";
import { type EndState, file, openShop, readEnd, undisturbed } from "../passes/shop.ts";

async function listWaits(fleet: RealFleet): Promise<readonly string[]> {
  return ((await fleet.status())?.waitingFor ?? []).map(({ code }) => code);
}

async function listStops(fleet: RealFleet): Promise<readonly string[]> {
  return Object.values((await fleet.ledger()).stops).map(({ scope }) => scope);
}

/** A repository of its own with planner, executor and a cluster, which has the name of the first one's, on the same servers. */
async function openOther({ lane }: Stage, begin: (other: RealFleet) => Promise<void>): Promise<void> {
  const other = new RealFleet(takeOther(lane), "one", 30);
  try {
    await openShop(other, "well");
    other.startService("executor");
    other.startService("planner");
    await begin(other);
  } catch (error) {
    await other.close();
    throw error;
  }
  // Its own auditor signs.
  await other.end();
}

/** Half of it was merged before the rest. */
const inTwoRuns: EndState = { ...undisturbed.well, runs: ["done", "done"] };

async function endsAs(fleet: RealFleet, want: EndState): Promise<void> {
  await fleet.untilRunEnds(want.runs.length);
  deepStrictEqual(await readEnd(fleet), want);
}

/**
 * Both move half at the same time; the first is then paused by its command line, and the rest is merged in both. Paused in the
 * middle of a run it would be a race of the command line's start against the run's end.
 */
async function playTwo(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  await openOther(stage, async (other) => {
    const both = [fleet, other];
    await Promise.all(both.map(async (each) => each.merge({ "rollouts.yml": file(50) })));
    await Promise.all(both.map(async (each) => each.untilRunEnds(1)));
    match(await fleet.meshroll("pause", "all", "--reason", "ours alone"), /✔ stopped in one/u);
    const half = fleet.writes.length;
    await Promise.all(both.map(async (each) => each.merge({ "rollouts.yml": file(100) })));
    await fleet.until("status of the first names its stop", async () => (await listWaits(fleet)).includes("Stopped"));
    await endsAs(other, inTwoRuns);
    strictEqual(fleet.writes.length, half, "the first stays paused while the other one ends");
    deepStrictEqual([await listStops(fleet), await listStops(other)], [["all"], []]);
    ok((await listWaits(fleet)).includes("Stopped"), "status of the first still names its stop");
    ok(!(await listWaits(other)).includes("Stopped"), "status of the other one names none");
  });
  await fleet.meshroll("resume", "all", "--reason", "goes on");
  stage.fixed();
  await stage.endsAs(inTwoRuns);
}

/** The first is killed with a batch in hand and a stop on its bus; a new repository knows nothing of either. */
async function playNewOnOld(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  await fleet.merge({ "rollouts.yml": file(100) });
  await stage.reach();
  await fleet.kill("planner");
  const id = await fleet.request({ verb: "stop", scope: "all" });
  await fleet.kill("executor");
  const request = async () => (await fleet.bus.bucket("control").get(`request.${id}`))?.value;
  const [asked, before] = [await request(), fleet.writes.length];
  await openOther(stage, async (other) => {
    await other.merge({ "rollouts.yml": file(100) });
    await endsAs(other, undisturbed.well);
    deepStrictEqual([await listStops(other), await request(), fleet.writes.length], [[], asked, before]);
  });
  // What was asked of the first is still asked of it.
  fleet.startService("executor");
  fleet.startService("planner");
  await fleet.until("its stop is recorded", async () => (await listStops(fleet)).length === 1);
  deepStrictEqual(fleet.writes.length, before, "nothing moved in between");
  await fleet.request({ verb: "resume", scope: "all" });
  stage.fixed();
  await stage.endsUndisturbed("well");
}

/** Two repositories with their processes on one NATS and one Redis. */
export const apartFaults: readonly Fault[] = [
  {
    name: "two-installations",
    shows:
      "two installations with clusters of one name move at the same time: one is paused, the other goes on; both auditors sign",
    play: playTwo,
  },
  {
    name: "new-repository-on-old-bus",
    shows: "a new repository where another one left a batch and a stop: it moves its own, and the other its own later",
    play: playNewOnOld,
  },
];
