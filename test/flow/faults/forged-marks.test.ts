import { printWorkloadReason } from "#libs/wording";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, countRolling, file, openShop, refOf, running, settingsOf } from "../shop.ts";

const byHand = { user: "owner", manager: "kubectl-annotate" } as const;

async function readRun(flow: FleetFlow): Promise<string> {
  const [run] = await flow.runs();
  return run?.id ?? "";
}

/** Reasons why workloads of the run were skipped. */
async function listSkipped(flow: FleetFlow): Promise<Readonly<Record<string, string>>> {
  const skipped = (await flow.runs())[0]?.outcome?.skipped ?? [];
  return Object.fromEntries(skipped.map(({ workload, ...reason }) => [workload, printWorkloadReason(reason)]));
}

test("3.1 an arrival annotation written by hand frees no place and is no evidence", async () => {
  const flow = await openShop();
  flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100), settingsOf("batchSize: 1, readinessTimeout: 2m"));
  await flow.until("the first moves", () => countRolling(flow) > 0);
  const annotations = { "meshroll.dev/arrived": `${await readRun(flow)} new` };
  flow.model("one").ownerApply(refOf("a"), { annotations }, byHand);
  await flow.pass(100_000);
  const others = countOn(flow, "new");
  const [ended] = await flow.untilRunsEnd(1);

  expect(others).toBe(0);
  expect(ended).toMatchObject({ state: "done", outcome: { migrated: 5 } });
  expect((await listSkipped(flow))["shop-a/Deployment/web"]).toContain("meshroll.dev/arrived was written by");
  expect(running(flow, refOf("a"))).toContain("new");
  await flow.end();
});
