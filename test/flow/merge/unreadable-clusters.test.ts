import { findShareCluster } from "#libs/input";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file } from "../shop.ts";
import { clusterNames, countMoves, makeSix, openSix, untilMigrated } from "../six-clusters.ts";

/** All waits as `scope: code`. */
async function waits(flow: FleetFlow): Promise<readonly string[]> {
  const { waiting = [] } = (await flow.status()) ?? {};
  return waiting.map(({ scope, code }) => `${findShareCluster(scope) ?? scope}: ${code}`);
}

/** Status of one cluster. */
async function read(flow: FleetFlow, cluster: string) {
  return (await flow.status())?.clusters.find(({ name }) => name === cluster);
}

test("a cluster that no executor ever read is named with the cause, is not part of the run, and is read later", async () => {
  const flow = await makeSix();
  flow.startExecutor();
  const allow = flow.model("stage").faults.failAll(401);
  await flow.startPlanner().pass(30_000);
  const others = clusterNames.filter((name) => name !== "stage");
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  const never = await read(flow, "stage");
  allow();
  await flow.pass(60_000);
  const later = await read(flow, "stage");

  expect([run?.state, run?.outcome?.seen]).toEqual(["done", others.toSorted()]);
  expect(never).toMatchObject({ mode: "act", fresh: false, workloads: 0 });
  expect(never).not.toHaveProperty("ageSeconds");
  expect(never?.problems).toEqual([
    expect.stringMatching(
      /^cannot read this cluster \(unauthorized: .*nothing moves in this cluster.*renew the token/u,
    ),
  ]);
  expect([later?.fresh, later?.workloads, later?.problems]).toEqual([true, 6, []]);
  await flow.end();
});

test("a hub that is restarted with credentials that one cluster refuses: named with the cause, and the run waits for it", async () => {
  const flow = await openSix();
  await flow.killExecutor();
  const allow = flow.model("stage").faults.failAll(401);
  flow.startExecutor();
  flow.whenMerged(file(100));
  await untilMigrated(
    flow,
    clusterNames.filter((name) => name !== "stage"),
  );
  const told = await read(flow, "stage");
  const during = [await waits(flow), (await flow.runs()).map(({ state }) => state), countMoves(flow, "stage")];
  allow();

  expect(during).toEqual([["stage: ClusterUnreachable"], ["open"], 0]);
  expect([told?.fresh, told?.workloads, typeof told?.ageSeconds]).toEqual([false, 6, "number"]);
  expect(told?.problems).toEqual([expect.stringMatching(/^cannot read this cluster \(unauthorized/u)]);
  const [run] = await flow.untilRunsEnd(1);
  expect([run?.state, run?.outcome?.migrated, countMoves(flow, "stage")]).toEqual(["done", 24, 4]);
  await flow.end();
});
