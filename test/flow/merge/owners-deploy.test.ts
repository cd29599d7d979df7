import { printWorkloadReason } from "#libs/wording";

import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, refOf, running, settingsOf, written } from "../shop.ts";

// Whose rollout goes on: ours until nothing is left of the pods that our write had to replace, then its owner's.

const minute = 60_000;
const names = ["a", "b"];
const settings = settingsOf("batchSize: 2, readinessTimeout: 60s", "  bake: 5m\n");

const isOnNew = (flow: FleetFlow, name: string): boolean => running(flow, refOf(name)).join() === "new";

const skippedOf = async (flow: FleetFlow) =>
  (await flow.runs())
    .flatMap(({ outcome }) => outcome?.skipped ?? [])
    .map(({ workload, ...reason }) => [workload, printWorkloadReason(reason)]);

test("3.1 what an owner deploys after its workload arrived, and never becomes ready, fails no run and is not put back", async () => {
  const flow = await openShop({ names, settings });
  flow.whenMerged(file(100));
  await flow.until("both are there", () => names.every((name) => isOnNew(flow, name)));
  await flow.pass(minute);
  const before = written(flow).length;
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady" });
  flow.model("one").ownerApply(refOf("a"), { image: "registry.example/web:2" });
  const [run] = await flow.untilRunsEnd(1);

  expect([written(flow).length - before, (await flow.ledger())?.stops, run?.state]).toEqual([0, {}, "done"]);
  expect([await skippedOf(flow), run?.outcome?.migrated]).toEqual([[], 2]);
  await flow.end();
});

test("4.6 what never becomes ready on the new revision is put back, also where its owner deploys meanwhile", async () => {
  const flow = await openShop({ names, settings });
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100));
  await flow.until("it is written", () => written(flow).some((path) => path.includes("shop-a")));
  await flow.pass(10_000);
  flow.model("one").ownerApply(refOf("a"), { image: "registry.example/web:2" });
  await flow.until("it is put back", () => written(flow).filter((path) => path.includes("shop-a")).length === 2);
  await flow.pass(minute);

  expect([running(flow, refOf("a")), isOnNew(flow, "b")]).toEqual([["old"], true]);
  await flow.end();
});
