import type { ClusterFacts } from "#libs/fleet";
import { readRecordedStop } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, listMovedPaths } from "../shop.ts";

const map = ["meshroll-system", "meshroll-recorded-stops"] as const;

/** The cluster's facts as planner and CLI read them: in KV inventory, key `one._`. */
async function readFacts(flow: FleetFlow): Promise<ClusterFacts> {
  const entry = await flow.bucket("inventory").get("one._");
  return JSON.parse(entry?.value ?? "{}") as ClusterFacts;
}

async function shown(flow: FleetFlow): Promise<Readonly<Record<string, string>>> {
  return (await readFacts(flow)).stops.recorded;
}

async function scopes(flow: FleetFlow): Promise<readonly string[]> {
  return Object.values(await shown(flow)).map((text) => readRecordedStop(text)?.stop.scope ?? text);
}

async function startMoving(flow: FleetFlow): Promise<void> {
  flow.whenMerged(file(100));
  await flow.until("something moves", () => listMovedPaths(flow).length > 0);
}

/** Kills all processes and wipes bus and queue. */
async function loseEverything(flow: FleetFlow): Promise<void> {
  await flow.killPlanner();
  await flow.killExecutor();
  flow.bus.wipe();
  flow.queue.flush();
}

test("7.3 a pause that is not recorded yet survives the loss of everything but git and the clusters, for ten days", async () => {
  const flow = await openShop();
  await startMoving(flow);
  await flow.killPlanner();
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(1000);
  await loseEverything(flow);
  await flow.pass(5000);
  const before = listMovedPaths(flow).length;
  flow.startExecutor().startPlanner();
  await flow.pass(120_000);
  await loseEverything(flow);
  flow.startPlanner().startExecutor();
  await flow.pass(600_000);

  expect([listMovedPaths(flow).length, await scopes(flow)]).toEqual([before, ["all"]]);
  expect((await flow.runs()).map(({ state }) => state)).toEqual(["open"]);
  await flow.end();
});

test("7.3 an entry in the cluster that the ledger does not have yet is recorded, and one resume ends it everywhere", async () => {
  const flow = await openShop();
  await startMoving(flow);
  await flow.killPlanner();
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(1000);
  await loseEverything(flow);
  flow.startExecutor().startPlanner();
  await flow.pass(60_000);
  const recorded = Object.values((await flow.ledger())?.stops ?? {}).map(({ scope, cause }) => [scope, cause]);
  await flow.whenAsked({ verb: "resume", scope: "all" });
  const runs = await flow.untilRunsEnd(1);

  expect(recorded).toEqual([["all", "cluster"]]);
  expect([runs[0]?.outcome?.migrated, await scopes(flow)]).toEqual([6, []]);
  await flow.end();
});

test("7.4 a stop that the CLI wrote into the cluster while the bus was down counts until it is ended", async () => {
  const flow = await openShop();
  await startMoving(flow);
  flow.bus.disconnect();
  flow.model("one").setConfigMap(...map, { "cli-1": "stop, please" });
  await flow.pass(2000);
  const before = listMovedPaths(flow).length;
  await flow.pass(20_000);
  flow.bus.connect();
  await flow.pass(600_000);

  expect([listMovedPaths(flow).length, Object.keys(await shown(flow))]).toEqual([before, ["cli-1"]]);
  await flow.whenAsked({ verb: "resume", scope: "cluster/one" });
  await flow.untilRunsEnd(1);
  expect([countOn(flow, "new"), await shown(flow)]).toEqual([6, {}]);
  await flow.end();
});
