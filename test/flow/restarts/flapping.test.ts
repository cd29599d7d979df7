import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, refOf, running, settingsOf, listMovedPaths } from "../shop.ts";
import { restartUntil } from "./restart-until.ts";

const minute = 60_000;
const replicas = 2;
/** The latest time for `ReadinessTimeout`, ms: a minute for each step of the rollout, and one more. */
const bound = (replicas + 1) * minute;

/**
 * Moves all shops; on `new` the pods of shop-b get ready after 5 s, crash 3 s later, and start again 2 s after that, for ever.
 */
async function openFlapping() {
  const settle: { now: () => void } = { now: () => undefined };
  const flow = await openShop({
    settings: settingsOf("batchSize: 2, readinessTimeout: 1m, failurePolicy: ContinueOnError"),
    prepare: (model) => {
      settle.now = model.breakWorkload(refOf("b"), { how: "crash", whenRevision: "new", afterMs: 3000, againMs: 2000 });
    },
  });
  flow.whenMerged(file(100));
  await flow.until("its move is written", () => listMovedPaths(flow).some((path) => path.includes("shop-b")));
  return { flow, settle, writtenAt: flow.clock.now() };
}

const countWrites = (flow: FleetFlow): number => listMovedPaths(flow).filter((path) => path.includes("shop-b")).length;

test("4.6 flapping pods and an executor that is killed every 50 s: ReadinessTimeout within R + 1 minutes", async () => {
  const { flow } = await openFlapping();
  const took = await restartUntil(flow, "executor", 50_000, () => countWrites(flow) === 2);
  await restartUntil(flow, "executor", 50_000, async () => (await flow.runs()).some(({ state }) => state === "done"));

  const [run] = await flow.runs();
  expect(run?.outcome?.skipped).toMatchObject([{ code: "ReadinessTimeout" }]);
  // One reconcile after the bound, and the one that the kill interrupted.
  expect(took).toBeLessThanOrEqual(bound + 10_000);
  expect(took).toBeGreaterThan(minute);
  await flow.pass(30_000);
  expect(running(flow, refOf("b"))).toEqual(["old"]);
  await flow.end();
});
