import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";

import { takeOther } from "../../fleet-brokers.ts";
import { RealFleet } from "../../real-fleet.ts";
import type { Fault, Stage } from "../fault.ts";
import { file, openShop, readEnd, undisturbed } from "../shop.ts";

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

async function endsUndisturbed(fleet: RealFleet): Promise<void> {
  await fleet.untilRunEnds(1);
  deepStrictEqual(await readEnd(fleet), undisturbed.well);
}

/** Both move at the same time; the first is paused by its command line, and the other one goes on to its end. */
async function playTwo(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  await openOther(stage, async (other) => {
    await Promise.all([fleet.merge({ "rollouts.yml": file(100) }), other.merge({ "rollouts.yml": file(100) })]);
    await fleet.until("both move", () => fleet.writes.length > 0 && other.writes.length > 0);
    match(await fleet.meshroll("pause", "all", "--reason", "ours alone"), /✔ stopped in one/u);
    ok(other.writes.length < 8, "the other one is not over when the first is paused");
    const before = fleet.writes.length;
    await endsUndisturbed(other);
    strictEqual(fleet.writes.length, before, "the first stays paused while the other one ends");
    deepStrictEqual([await listStops(fleet), await listStops(other)], [["all"], []]);
    deepStrictEqual((await listWaits(other)).includes("Stopped"), false);
    ok((await listWaits(fleet)).includes("Stopped"), "status of the first names its stop");
  });
  await fleet.meshroll("resume", "all", "--reason", "goes on");
  stage.mended();
  await stage.endsUndisturbed("well");
}

/** The first is killed with a batch in hand and a stop on its bus; a repository that is begun anew knows nothing of either. */
async function playNewOnOld(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  await fleet.merge({ "rollouts.yml": file(100) });
  await stage.reach();
  await fleet.kill("planner");
  const id = await fleet.ask({ verb: "stop", scope: "all" });
  await fleet.kill("executor");
  const ask = async () => (await fleet.bus.bucket("control").get(`ask.${id}`))?.value;
  const [asked, before] = [await ask(), fleet.writes.length];
  await openOther(stage, async (other) => {
    await other.merge({ "rollouts.yml": file(100) });
    await endsUndisturbed(other);
    deepStrictEqual([await listStops(other), await ask(), fleet.writes.length], [[], asked, before]);
  });
  // What was asked of the first is still asked of it.
  fleet.startService("executor");
  fleet.startService("planner");
  await fleet.until("its stop is recorded", async () => (await listStops(fleet)).length === 1);
  deepStrictEqual(fleet.writes.length, before, "nothing moved in between");
  await fleet.ask({ verb: "lift", scope: "all" });
  stage.mended();
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
    shows:
      "a repository that is begun anew where another one left a batch and a stop: it moves its own, and the other its own later",
    play: playNewOnOld,
  },
];
