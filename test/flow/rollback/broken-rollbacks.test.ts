import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, settingsOf, listMovedPaths } from "../shop.ts";

async function readProblems(flow: FleetFlow): Promise<string> {
  return (await flow.status())?.clusters[0]?.problems.join("\n") ?? "";
}

test("2.3 a rollback that is refused for one namespace brings all others back, and retries that one in growing pauses", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const policy = flow.model("one").faults.refuseWrites("shop-a");
  flow.whenMerged(file(0));

  await flow.until("all others are back", () => countOn(flow, "old") === 5, 120_000);
  await flow.pass(150_000);
  const refused = policy.count();
  await flow.until("it says why", async () => (await readProblems(flow)).includes("WritesRefused"), 70_000);
  const problems = await readProblems(flow);
  const stop = Object.values((await flow.ledger())?.stops ?? {}).find(({ cause }) => cause === "jobFailed");
  policy.end();
  await flow.untilRunsEnd(2);

  // Tried with the others, then after 5 s, 10 s, 20 s, 40 s …, each time twice: a refusal counts only after the server
  // answered that it is ready.
  expect(refused).toBeGreaterThan(4);
  expect(refused).toBeLessThan(18);
  expect(problems).toMatch(/change 1 workload of the rollback, such as shop-a.Deployment.web: each is tried again/);
  expect(stop?.why).toContain('shop-a/Deployment/web: admission policy "frozen" denied');
  expect(countOn(flow, "old")).toBe(6);
  expect(await readProblems(flow)).toBe("");
  await flow.end();
});

test("2.3 a batch of another run that waits for slow pods makes room at once for a rollback of broken workloads", async () => {
  const two = (d: number, a: number) => `"shop-[abc]": { old: ${100 - a}, new: ${a} }\n${file(d)}`;
  const flow = await openShop({ settings: settingsOf("batchSize: 3, readinessTimeout: 10m"), readyMs: 100_000 });
  flow.whenMerged(two(0, 0));
  const broke = flow.whenMerged(two(100, 0)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged(two(100, 100));
  await flow.until("the other bucket moves", () => listMovedPaths(flow).length === 6);
  flow.model("one").breakWorkload(refOf("d"), { how: "crash", whenRevision: "new" });
  await flow.pass(5000);

  await flow.whenAsked({ verb: "rollback", scope: `run/${broke}`, now: true });
  await flow.until("the broken one is written", () => listMovedPaths(flow).length > 6, 10_000);
  const first = listMovedPaths(flow)[6];
  await flow.until("all of its run are back", () => countOn(flow, "old", ["d", "e", "f"]) === 3, 600_000);
  const runs = await flow.untilRunsEnd(3);

  expect(first).toContain("shop-d");
  expect(countOn(flow, "new", ["a", "b", "c"])).toBe(3);
  expect(runs.flatMap(({ outcome }) => outcome?.skipped ?? [])).toEqual([]);
  await flow.end();
});
