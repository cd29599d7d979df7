import type { WorkloadRef } from "#libs/fleet";
import { printWorkloadReason } from "#libs/wording";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, countRolling, file, openShop, refOf, running, settingsOf, type ShopOptions } from "../shop.ts";

const twelve = Array.from({ length: 12 }, (_, index) => `web-${String(index).padStart(2, "0")}`);
const nameTheirs = (name: string): WorkloadRef => ({ namespace: "tenant", kind: "Deployment", name });
const byHand = { user: "owner", manager: "kubectl-annotate" } as const;

/** A tenant with twelve Deployments next to the six shops. */
const withTenant: ShopOptions = {
  prepare: (model) => {
    const labels = { "istio.io/rev": "old" };
    for (const name of twelve) model.addDeployment({ ns: "tenant", name, replicas: 1, labels, readyMs: 5000 });
  },
};

async function readRun(flow: FleetFlow): Promise<string> {
  const [run] = await flow.runs();
  return run?.id ?? "";
}

/** Why each workload of the run was skipped. */
async function listSkipped(flow: FleetFlow): Promise<Readonly<Record<string, string>>> {
  const skipped = (await flow.runs())[0]?.outcome?.skipped ?? [];
  return Object.fromEntries(skipped.map(({ workload, ...reason }) => [workload, printWorkloadReason(reason)]));
}

test("3.3 twelve failures that a tenant writes by hand stop no run: each is skipped in its owner's name", async () => {
  const flow = await openShop(withTenant);
  flow.whenMerged(file(100));
  await flow.until("the first moves", () => countRolling(flow) > 0);
  const run = await readRun(flow);
  const failed = "new ReadinessTimeout 2026-01-01T00:00:00Z";
  const annotations = { "meshroll.dev/run": `${run} new`, "meshroll.dev/failed": failed };
  for (const name of twelve) flow.model("one").ownerApply(nameTheirs(name), { annotations }, byHand);
  const [ended] = await flow.untilRunsEnd(1);

  expect(ended).toMatchObject({ state: "done", outcome: { migrated: 6 } });
  expect(countOn(flow, "new")).toBe(6);
  const skipped = await listSkipped(flow);
  expect(Object.keys(skipped)).toEqual(twelve.map((name) => `tenant/Deployment/${name}`));
  for (const why of Object.values(skipped))
    expect(why).toContain("meshroll.dev/failed was written by kubectl-annotate");
  expect(twelve.flatMap((name) => running(flow, nameTheirs(name)))).toEqual(twelve.map(() => "old"));
  await flow.end([/^ownHandsOnly: .*written by owner as field manager kubectl-annotate/]);
});

test("3.1 an arrival that an owner writes by hand frees no place, and makes no evidence", async () => {
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
