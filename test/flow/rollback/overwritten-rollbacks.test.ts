import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { sentenceOf } from "#test/world/words";
import { countOn, file, openShop, refOf, running, settingsOf, listMovedPaths } from "../shop.ts";

const helm = { manager: "helm", operation: "Apply" } as const;
const isOfB = (path: string): boolean => path.includes("shop-b");

/** A run moved all to `new` and is done; `rollback --now` brings them back, and the owner of shop-b puts `new` back. */
async function overwriteRollback(): Promise<{ readonly flow: FleetFlow; readonly run: string }> {
  const flow = await openShop({ settings: settingsOf("batchSize: 2") });
  const run = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  await flow.whenAsked({ id: "undo-1", verb: "rollback", scope: `run/${run}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old") === 6);
  await flow.pass(20_000);
  flow.model("one").ownerApply(refOf("b"), { templateLabels: { "istio.io/rev": "new" } }, helm);
  await flow.pass(60_000);
  return { flow, run };
}

async function readSkipped(flow: FleetFlow, run: string): Promise<readonly string[]> {
  const skipped = (await flow.ledger())?.runs[run]?.outcome?.skipped ?? [];
  return skipped.map((each) => `${each.workload} ${sentenceOf(each).slice(0, 19)}`);
}

test("5.5 a rollback that is merged after rollback --now keeps, and names, what its owner put back meanwhile", async () => {
  const { flow } = await overwriteRollback();
  const before = listMovedPaths(flow).filter(isOfB).length;
  const merged = flow.whenMerged(file(0)).slice(0, 12);
  await flow.untilRunsEnd(2);
  await flow.pass(120_000);

  expect(listMovedPaths(flow).filter(isOfB)).toHaveLength(before);
  expect([running(flow, refOf("b")), countOn(flow, "old")]).toEqual([["new"], 5]);
  expect(await readSkipped(flow, merged)).toEqual(["shop-b/Deployment/web Overwritten by helm"]);
  await flow.end();
});
